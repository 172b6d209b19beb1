package dev.weir.examples.payments;

import dev.weir.Limits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Two providers, one Redis, and three processes of workers. All processes end when this one ends, in whatever way. */
final class Fleet implements AutoCloseable {
    static final Duration MARGIN = Duration.ofMillis(8);
    static final String WITHOUT_FAULT = "p1-"; // the workers of the process that faults spare
    private static final int[][] WORKERS = {{3, 11}, {2, 11}, {2, 11}}; // of each process, by provider: 40 in all
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String PAUSE = "trap '' INT TERM HUP; kill -STOP $1; sleep 3; kill -CONT $1";

    private final RedisProcess redis;
    private final List<Provider> providers = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private final Thread hook = new Thread(() -> processes.forEach(Process::destroyForcibly));

    private Fleet() throws IOException {
        Runtime.getRuntime().addShutdownHook(hook);
        redis = RedisProcess.start();
    }

    /**
     * Returns the limits for a provider that accepts the given number of calls in any second. The first is the provider's, with a
     * margin that costs 0.8 % of it. The second spreads the calls: without it, those of the first instant would be a burst, and
     * would be one again in each second.
     */
    static Limits limits(int permits) {
        return Limits.parse(permits + "/1s margin=" + MARGIN.toMillis() + "ms", "13/" + 10_000 / permits + "ms");
    }

    /** Starts everything; returns when all workers are ready and wait. */
    static Fleet start() throws IOException {
        Fleet fleet = new Fleet();
        try {
            fleet.providers.add(new Provider("alpha", 100));
            fleet.providers.add(new Provider("beta", 1_000));
            for (int i = 0; i < WORKERS.length; i++) {
                fleet.processes.add(fleet.launch("p" + (i + 1), WORKERS[i]));
            }
            for (Process process : fleet.processes) {
                awaitReady(process);
            }
            return fleet;
        } catch (IOException | RuntimeException failure) {
            fleet.close();
            throw failure;
        }
    }

    private Process launch(String name, int[] workers) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx96m",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerProcess.class.getName(),
                name,
                redis.uri()));
        for (int i = 0; i < workers.length; i++) {
            Provider provider = providers.get(i);
            command.addAll(List.of(provider.name(), provider.uri()));
            command.addAll(List.of(Integer.toString(provider.permits()), Integer.toString(workers[i])));
        }
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitReady(Process process) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        if (!Objects.equals(output.readLine(), "ready")) {
            throw new IOException("a worker process did not start");
        }
    }

    /**
     * Lets the workers call for a window and the given number of seconds after it, which are measured. The first window is not: it
     * begins with none of the limit used.
     */
    List<Provider.Counts> run(Options options, Consumer<List<Provider.Counts>> progress) throws IOException {
        long from = System.nanoTime() + SECOND;
        long length = options.seconds() * SECOND;
        long until = from + length;
        providers.forEach(provider -> provider.measure(from, until));
        for (Process process : processes) {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }
        List<Runnable> faults = options.faults() ? faults() : List.of();
        for (int due = 0; due < faults.size(); due++) {
            sleepUntil(from + (due + 1) * length / 4, progress);
            faults.get(due).run();
        }
        sleepUntil(until, progress);
        return counts();
    }

    private List<Runnable> faults() {
        return List.of(() -> processes.get(1).destroyForcibly(), () -> pause(processes.get(2)));
    }

    /** Stops a process for three seconds. A process of its own does it, so that the other one is not left behind stopped. */
    private static void pause(Process process) {
        try {
            new ProcessBuilder("sh", "-c", PAUSE, "pause", Long.toString(process.pid()))
                    .inheritIO()
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void sleepUntil(long end, Consumer<List<Provider.Counts>> progress) {
        long nextReport = System.nanoTime() + SECOND;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(Math.min(TICK, Math.max(1, end - System.nanoTime())));
            if (System.nanoTime() - nextReport >= 0) {
                nextReport += SECOND;
                progress.accept(counts());
            }
        }
    }

    private List<Provider.Counts> counts() {
        return providers.stream().map(Provider::counts).toList();
    }

    /** Ends all processes. */
    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
        providers.forEach(Provider::close);
        redis.close();
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
