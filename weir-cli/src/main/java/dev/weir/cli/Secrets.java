package dev.weir.cli;

import dev.weir.server.SecretFile;
import java.nio.file.Path;

/** Secrets in files, which options name. */
final class Secrets {
    private Secrets() {}

    /**
     * Reads a secret.
     *
     * @param option the option that names the file
     * @throws CommandFailure if there is no secret in the file
     */
    static String read(String option, Path file) {
        try {
            return SecretFile.read(file);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(option + ": " + e.getMessage());
        }
    }
}
