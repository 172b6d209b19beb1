package dev.weir.stress.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A JVM of its own for races and models, since a mutant must stand in front of the class path from the start. */
public final class ChildJvm {
    /** Where the JVMs work, and what they write stays. */
    public static final Path WORK =
            Path.of(System.getProperty("stress.work", "target/stress")).toAbsolutePath();

    private static final long OVERDUE_MILLIS = 300_000;

    /** What Lincheck looks into. */
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.invoke",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks",
            "java.util.function");

    private ChildJvm() {}

    /** What this JVM runs. */
    public static String classPath() {
        return System.getProperty("java.class.path");
    }

    /**
     * Runs races and models on the real classes.
     *
     * @throws AssertionError if the JVM dies, or says nothing of one of them
     */
    public static List<Finding> run(Effort effort, List<Class<?>> tests) {
        return eachKind(classPath(), effort, tests);
    }

    /** Runs races and models on classes that stand in front of the real ones. */
    public static List<Finding> run(Effort effort, Path classes, List<Class<?>> tests) {
        return eachKind(classes + File.pathSeparator + classPath(), effort, tests);
    }

    /** Lincheck changes the classes of a JVM, so that races are run in one of their own. */
    private static List<Finding> eachKind(String classPath, Effort effort, List<Class<?>> tests) {
        Map<Boolean, List<Class<?>>> kinds =
                tests.stream().collect(Collectors.partitioningBy(test -> ModelRun.isModel(test.getName())));
        List<Finding> findings = new ArrayList<>();
        for (List<Class<?>> kind : kinds.values()) {
            if (!kind.isEmpty()) {
                findings.addAll(run(classPath, effort, kind));
            }
        }
        return findings;
    }

    /** Has jcstress run races in all its modes, and returns its exit code; what it says goes on. */
    public static int jcstress(List<Class<?>> races) throws IOException {
        Files.createDirectories(WORK);
        String names = races.stream().map(race -> race.getSimpleName()).collect(Collectors.joining("|"));
        Process process = new ProcessBuilder(
                        java(),
                        "-cp",
                        classPath(),
                        "org.openjdk.jcstress.Main",
                        "-t",
                        "(" + names + ")$",
                        "-r",
                        WORK.resolve("jcstress").toString())
                .directory(WORK.toFile())
                .inheritIO()
                .start();
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } finally {
            process.destroy();
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static List<Finding> run(String classPath, Effort effort, List<Class<?>> tests) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m", "-cp", classPath));
        OPENED.forEach(name -> command.addAll(List.of("--add-opens", "java.base/" + name + "=ALL-UNNAMED")));
        command.addAll(List.of(
                StressRun.class.getName(),
                Long.toString(effort.raceMillis()),
                Integer.toString(effort.scenarios()),
                Integer.toString(effort.interleavings()),
                Long.toString(effort.hangsMillis())));
        tests.forEach(test -> command.add(test.getName()));
        try {
            Files.createDirectories(WORK);
            Path output = Files.createTempFile(WORK, "child", ".log");
            Process process = new ProcessBuilder(command)
                    .directory(WORK.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(
                    tests.size()
                            * (effort.raceMillis() + effort.hangsMillis() + OVERDUE_MILLIS * (1 + effort.scenarios())),
                    TimeUnit.MILLISECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            return findings(tests, Files.readString(output), ended && process.exitValue() == 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static List<Finding> findings(List<Class<?>> tests, String output, boolean well) {
        List<Finding> findings =
                output.lines().filter(Finding::isLine).map(Finding::of).toList();
        String wanted = tests.stream().map(Class::getName).collect(Collectors.joining(" "));
        String told = findings.stream().map(Finding::test).collect(Collectors.joining(" "));
        if (!well || !told.equals(wanted)) {
            throw new AssertionError("the JVM died, or did not tell of all that it ran:\n" + output);
        }
        return findings;
    }
}
