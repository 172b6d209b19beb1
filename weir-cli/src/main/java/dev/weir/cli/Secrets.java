package dev.weir.cli;

import java.util.function.Supplier;

/** Secrets in files, which options name. */
final class Secrets {
    private Secrets() {}

    /**
     * Reads a secret, or lets something read it.
     *
     * @param option the option that names the file
     * @param secret reads it and says why it cannot, as {@link dev.weir.server.SecretFile} does
     * @throws CommandFailure if there is no such secret in the file
     */
    static <T> T read(String option, Supplier<T> secret) {
        try {
            return secret.get();
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(option + ": " + e.getMessage());
        }
    }
}
