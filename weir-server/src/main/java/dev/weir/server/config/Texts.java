package dev.weir.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts from outside, in UTF-8: bodies of requests, and small files. */
public final class Texts {
    private Texts() {}

    /**
     * Decodes a text. Malformed bytes are an error: replaced, different texts would become the same.
     *
     * @throws CharacterCodingException if it is not UTF-8
     */
    public static String decode(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /** Returns the first bytes of a file, at most the given number. A device or a pipe has no size, and may have no end. */
    static byte[] start(Path file, int most) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(most);
        }
    }
}
