package dev.weir.testing;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The command line of another JVM with the classes of this one. */
public final class JavaCommand {
    private JavaCommand() {}

    /** Returns the command: Java, the class path, and the given options, name of the main class and arguments. */
    public static List<String> of(String... words) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.concat(Stream.of(java, "-cp", classes), Stream.of(words)).toList();
    }
}
