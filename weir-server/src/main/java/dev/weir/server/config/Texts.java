package dev.weir.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

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

    /**
     * Reads a small file. A device or a pipe has no size, and may have no end.
     *
     * @throws IOException if it cannot be read or has more than {@code most} bytes; {@link #reason} says why
     */
    public static byte[] read(Path file, int most) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(most + 1);
            if (bytes.length > most) {
                throw new IOException(String.format(Locale.ROOT, "it has more than %,d bytes", most));
            }
            return bytes;
        }
    }

    /** Returns in words why a file cannot be read or written. Messages of these exceptions often are the file's name alone. */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        } else if (e instanceof AccessDeniedException) {
            return "no permission";
        } else if (e instanceof FileSystemLoopException) { // without a reason
            return "too many symbolic links";
        } else if (e instanceof CharacterCodingException) {
            return "it is not UTF-8";
        }
        String reason = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }
}
