package dev.weir.stress.races;

import dev.weir.testing.JavaCommand;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** JVMs for races and models: Lincheck changes the classes of its JVM, jcstress forks, and both leave threads that hang. */
public final class ChildJvm {
    /** The directory in which the JVMs work. */
    private static final Path WORK =
            Path.of(System.getProperty("stress.work", "target/stress")).toAbsolutePath();

    private static final String HEAP = "-Xmx512m";
    private static final String COLLECTOR = "-XX:+UseSerialGC"; // which leaves the processors to the threads that race
    private static final long OVERDUE_MILLIS = 360_000; // longer than the JVM itself waits for a test that hangs

    /** The packages that Lincheck looks into. */
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.invoke",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks",
            "java.util.function");

    private ChildJvm() {}

    /** Lets jcstress run a race in all its modes, with its output on stdout, and returns its exit code. */
    public static int jcstress(Race race) throws IOException, InterruptedException {
        Files.createDirectories(WORK);
        List<String> command = JavaCommand.of(
                HEAP,
                "org.openjdk.jcstress.Main",
                "-t",
                JcstressRace.class.getSimpleName(),
                "-jvmArgsPrepend",
                "-D" + Race.PROPERTY + "=" + race.name(),
                "-r",
                WORK.resolve("jcstress-" + race.name()).toString());
        Process process =
                new ProcessBuilder(command).directory(WORK.toFile()).inheritIO().start();
        try {
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }

    /**
     * Runs races, by name, or models, by class.
     *
     * @param store the class of the store, null for the real one
     * @throws IllegalStateException if the JVM dies, or does not report one of them
     */
    public static List<Finding> run(Effort effort, @Nullable String store, List<String> tests)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(HEAP, COLLECTOR));
        OPENED.forEach(name -> words.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        if (effort.scenarios() == 0 && tests.stream().allMatch(StressRun::isModel)) {
            words.add("-XX:TieredStopAtLevel=1"); // without C2, which takes longer; races need what it reorders
        }
        if (store != null) {
            words.add("-D" + Room.STORE_PROPERTY + "=" + store);
        }
        words.add(StressRun.class.getName());
        Stream.of(effort.raceMillis(), effort.scenarios(), effort.interleavings())
                .map(String::valueOf)
                .forEach(words::add);
        words.addAll(tests);
        long millis = tests.size() * (effort.raceMillis() + OVERDUE_MILLIS * (1 + effort.scenarios()));
        Files.createDirectories(WORK);
        Path output = Files.createTempFile(WORK, "child", ".log");
        Process process = new ProcessBuilder(JavaCommand.of(words.toArray(String[]::new)))
                .directory(WORK.toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(output.toFile()))
                .start();
        boolean ended = process.waitFor(millis, TimeUnit.MILLISECONDS);
        process.destroyForcibly();
        return findings(tests, Files.readString(output), ended && process.exitValue() == 0);
    }

    private static List<Finding> findings(List<String> tests, String output, boolean succeeded) {
        List<Finding> findings =
                output.lines().filter(Finding::isLine).map(Finding::of).toList();
        if (!succeeded || !findings.stream().map(Finding::test).toList().equals(tests)) {
            throw new IllegalStateException("the JVM died, or did not report all that it ran:\n" + output);
        }
        return findings;
    }
}
