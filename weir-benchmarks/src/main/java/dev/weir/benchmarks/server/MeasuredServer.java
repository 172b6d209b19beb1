package dev.weir.benchmarks.server;

import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.testing.JavaCommand;
import dev.weir.testing.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The program that is measured, in a JVM of its own with a heap of 512 MB, and a Redis for it. If there is {@code taskset} and more
 * than one core, the server has the first, and the load and Redis have the others.
 */
final class MeasuredServer implements AutoCloseable {
    private static final String HEAP = "-Xmx512m";
    private static final long END_SECONDS = 20;

    /** How the parts share the machine, for a header. */
    final String cores;

    private final Path configuration;
    private final RedisServer redis;
    private final Process process;
    private final BufferedReader out;
    private final int[] ports;

    MeasuredServer(Effort effort) throws IOException {
        boolean pinned = pinLoad(effort);
        cores = pinned
                ? "the server has core 0 and " + HEAP + ", load and Redis have the others"
                : "the server has " + HEAP + " and shares the cores with load and Redis";
        configuration = Files.writeString(Files.createTempFile("bench", ".yaml"), Messages.CONFIGURATION);
        redis = RedisServer.start();
        process = new ProcessBuilder(command(effort, pinned, redis.uri()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        out = process.inputReader();
        ports = Arrays.stream(line().split(" ")).mapToInt(Integer::parseInt).toArray();
    }

    /** Leaves core 0 to the server. Returns whether that is possible. A smoke run does not try: it shares its JVM with tests. */
    private static boolean pinLoad(Effort effort) {
        int last = Runtime.getRuntime().availableProcessors() - 1;
        String pid = Long.toString(ProcessHandle.current().pid());
        ProcessBuilder taskset = new ProcessBuilder("taskset", "-acp", "1-" + last, pid)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        try {
            return effort != Effort.SMOKE
                    && last > 0
                    && taskset.start().onExit().join().exitValue() == 0;
        } catch (IOException noTaskset) {
            return false;
        }
    }

    private List<String> command(Effort effort, boolean pinned, String redisUri) {
        List<String> command = new ArrayList<>(pinned ? List.of("taskset", "-c", "0") : List.of());
        String collector = "-XX:+UseG1GC"; // as ./weir serve
        String main = ServerProcess.class.getName();
        command.addAll(JavaCommand.of(HEAP, collector, effort.compiler(), main, configuration.toString(), redisUri));
        return command;
    }

    private String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new FailedMeasureException("the server ended");
        }
        return line;
    }

    int port(int position) {
        return ports[position];
    }

    /** Returns the bytes of the server's live objects. */
    long liveBytes() throws IOException {
        process.outputWriter().write("\n");
        process.outputWriter().flush();
        return Long.parseLong(line());
    }

    @Override
    public void close() throws IOException {
        process.outputWriter().close();
        Process unused = process.onExit()
                .completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS)
                .join();
        process.destroyForcibly();
        redis.close();
        Files.delete(configuration);
    }
}
