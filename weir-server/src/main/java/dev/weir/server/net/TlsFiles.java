package dev.weir.server.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of TLS, in PEM.
 *
 * @param certificate the server's certificate and those that issued it
 * @param key its private key, in PKCS#8
 * @param clients the certificates that issue those of clients, which then need one; or null
 */
public record TlsFiles(Path certificate, Path key, @Nullable Path clients) {

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException if one cannot be read
     */
    public TlsMaterial read() {
        return new TlsMaterial(text(certificate), text(key), clients == null ? null : text(clients));
    }

    private static String text(Path file) {
        try {
            return Files.readString(
                    file, StandardCharsets.ISO_8859_1); // what is between the certificates is no concern
        } catch (IOException e) {
            throw new IllegalArgumentException("a file of TLS cannot be read: " + file, e);
        }
    }
}
