package dev.weir.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Files in the jar. */
public final class Resources {
    private Resources() {}

    /** Returns the text of a file of the server. */
    public static String text(String name) {
        try (InputStream stream = Resources.class.getResourceAsStream("/dev/weir/server/" + name)) {
            return new String(Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
