package dev.weir.benchmarks.promise;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;

/** The libraries that are compared. */
enum Library {
    WEIR,
    BUCKET4J,
    RESILIENCE4J,
    GUAVA,
    FAILSAFE,
    REDISSON;

    private static final Properties VERSIONS = versions();

    /** Returns the version that the build put into the jar. */
    String version() {
        return Objects.requireNonNull(VERSIONS.getProperty(name().toLowerCase(Locale.ROOT)));
    }

    private static Properties versions() {
        try (InputStream in = Objects.requireNonNull(Library.class.getResourceAsStream("versions.properties"))) {
            Properties versions = new Properties();
            versions.load(in);
            return versions;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
