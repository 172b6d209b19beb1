package dev.weir.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Secrets in files, so that they are not in the list of processes. */
final class Secrets {
    private Secrets() {}

    /**
     * Reads a secret.
     *
     * @param option the option that names the file
     * @throws CommandFailure if the file cannot be read, or is empty
     */
    static String read(String option, Path file) {
        String secret;
        try {
            secret = Files.readString(file).strip();
        } catch (IOException e) {
            throw new CommandFailure(option + ": " + file + " cannot be read");
        }
        if (secret.isEmpty()) {
            throw new CommandFailure(option + ": " + file + " is empty");
        }
        return secret;
    }
}
