package dev.weir.server.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Secrets in files, so that they are not in the list of processes. White space around a secret is not part of it. */
public final class SecretFile {
    private static final int MAX_BYTES = 4_096;
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

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
            byte[] bytes = Texts.start(file, MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IllegalArgumentException(file + " must have at most " + MAX_BYTES + " bytes");
            }
            secret = Texts.decode(bytes).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + Texts.reason(e), e);
        }
        if (secret.isEmpty()) {
            throw new IllegalArgumentException(file + " is empty");
        }
        return secret;
    }

    /**
     * Reads a token, which is sent in a header.
     *
     * @param file the file
     * @return the token
     * @throws IllegalArgumentException if it cannot be read, or could not be sent
     */
    public static String readToken(Path file) {
        String token = read(file);
        if (!TOKEN.matcher(token).matches()) {
            throw new IllegalArgumentException(file + " must contain one line of ASCII without spaces");
        }
        return token;
    }
}
