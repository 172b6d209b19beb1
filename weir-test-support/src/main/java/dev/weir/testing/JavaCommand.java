package dev.weir.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The command line of another JVM with the classes of this one. */
public final class JavaCommand {
    private static final Set<String> OPTIONS = Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private JavaCommand() {}

    /** Returns the command: Java, the class path, and the given options, name of the main class and arguments. */
    public static List<String> of(String... words) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Stream<String> unsafe = Runtime.version().feature() < 24
                ? Stream.empty()
                : Stream.of("--sun-misc-unsafe-memory-access=allow"); // as the launchers do: Protobuf uses it
        return Stream.of(Stream.of(java), unsafe, Stream.of("-cp", classes), Stream.of(words))
                .flatMap(part -> part)
                .toList();
    }

    /**
     * Runs the main method of a class in a JVM with a small heap.
     *
     * @param heap the size of the heap
     * @param directory a directory for its output
     * @return its output
     * @throws AssertionError if it does not end within 2 minutes, or fails
     */
    public static String outputInHeap(String heap, Class<?> main, Path directory)
            throws IOException, InterruptedException {
        List<String> command = of(
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                main.getName());
        Path output = directory.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeAll(OPTIONS); // Java writes that it has picked them up
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(2, TimeUnit.MINUTES);
            String text = Files.readString(output);
            if (!ended || process.exitValue() != 0) {
                throw new AssertionError((ended ? "it failed: " : "it did not end: ") + text);
            }
            return text;
        } finally {
            process.destroyForcibly();
        }
    }
}
