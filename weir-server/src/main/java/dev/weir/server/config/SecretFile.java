package dev.weir.server.config;

import java.io.IOException;
import java.nio.file.Path;

/** Secrets in files, so that they are not in the list of processes. White space around a secret is not part of it. */
public final class SecretFile {
    private static final int MAX_BYTES = 4_096;

    private SecretFile() {}

    /**
     * Reads a secret.
     *
     * @param file the file
     * @return the secret, which is not empty
     * @throws IllegalArgumentException if the file cannot be read, is empty or has more than 4,096 bytes
     */
    public static String read(Path file) {
        String secret;
        try {
            secret = Texts.decode(Texts.read(file, MAX_BYTES)).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + Texts.reason(e), e);
        }
        if (secret.isEmpty()) {
            throw new IllegalArgumentException(file + " is empty");
        }
        return secret;
    }
}
