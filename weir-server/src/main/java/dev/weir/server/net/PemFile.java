package dev.weir.server.net;

import dev.weir.server.config.Texts;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The text of a file in PEM. */
record PemFile(Path path, String text) {
    private static final int MAX_BYTES = 3_000_000; // a bundle of all public authorities has about 250,000
    private static final Charset CHARSET =
            StandardCharsets.ISO_8859_1; // what is between the certificates is no concern

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it cannot be read or has more than 3,000,000 bytes
     */
    static PemFile read(Path path) {
        try {
            return new PemFile(path, new String(Texts.read(path, MAX_BYTES), CHARSET));
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " cannot be read: " + Texts.reason(e), e);
        }
    }

    InputStream stream() {
        return new ByteArrayInputStream(text.getBytes(CHARSET));
    }

    Buffer buffer() {
        return Buffer.buffer(text, CHARSET.name());
    }

    /** The text may be a key, which must be in no log. */
    @Override
    public String toString() {
        return path.toString();
    }
}
