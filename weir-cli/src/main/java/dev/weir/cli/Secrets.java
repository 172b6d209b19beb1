package dev.weir.cli;

import java.util.function.Supplier;

/** Secrets in files, which options name. */
final class Secrets {
    private Secrets() {}

    /**
     * Reads a secret.
     *
     * @param option the option that names the file
     * @param secret reads it, as {@link dev.weir.server.SecretFile} does
     * @throws CommandFailure if there is no such secret in the file
     */
    static String read(String option, Supplier<String> secret) {
        try {
            return secret.get();
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(option + ": " + e.getMessage());
        }
    }
}
