package dev.weir.benchmarks.promise;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/**
 * What a contestant is.
 *
 * @param title its name
 * @param library by which {@code versions.properties} has the version
 * @param configuration its configuration for 100 per minute, as code
 * @param clock what its time is
 */
record Label(String title, String library, String configuration, String clock) {
    private static final Properties VERSIONS = versions();

    /** Returns the version that the build put into the jar. */
    String version() {
        return Objects.requireNonNull(VERSIONS.getProperty(library));
    }

    private static Properties versions() {
        try (InputStream in = Objects.requireNonNull(Label.class.getResourceAsStream("versions.properties"))) {
            Properties versions = new Properties();
            versions.load(in);
            return versions;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
