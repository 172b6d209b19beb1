package dev.weir.server.config;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The token of operators, which calls send in a header.
 *
 * @param file contains it
 */
public record Token(Path file, String text) {
    private static final Pattern SENDABLE = Pattern.compile("[!-~]+");

    /**
     * Reads a token.
     *
     * @param file contains it
     * @throws IllegalArgumentException if it cannot be read, or could not be sent
     */
    public static Token read(Path file) {
        String text = SecretFile.read(file);
        if (!SENDABLE.matcher(text).matches()) {
            throw new IllegalArgumentException(file + " must contain one line of ASCII without spaces");
        }
        return new Token(file, text);
    }

    /** Reads the same file again. */
    public Token reread() {
        return read(file);
    }

    /** The token must be in no log. */
    @Override
    public String toString() {
        return file.toString();
    }
}
