package dev.weir.benchmarks.redis;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.RateLimiter;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.redis.RedisStore;
import dev.weir.testing.Await;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Processes whose callers all wait for one limit, and how much of it they use.
 *
 * @param percent the use of the limit between the second window and the last but one
 * @param windowsOver the number of windows with more permits than the limit
 */
record WaitingProcesses(double percent, int windowsOver) {
    static final int PROCESSES = 4;
    static final int CALLERS = 500; // of each process
    private static final int PERMITS = 1_000;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Runs a process: its arguments are the URI of the server, a file for the grants, and the number of seconds. */
    public static void main(String... words) throws Exception {
        wait(words[0], Path.of(words[1]), Duration.ofSeconds(Long.parseLong(words[2])));
    }

    /**
     * Measures with processes of their own.
     *
     * @throws FailedMeasureException if a process fails
     */
    static WaitingProcesses measure(String uri, int seconds) throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            files.add(Files.createTempFile("weir-waiting", ".grants"));
            processes.add(start(uri, files.get(i), seconds));
        }
        LongStream all = LongStream.empty();
        for (int i = 0; i < PROCESSES; i++) {
            String said = new String(processes.get(i).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (processes.get(i).waitFor() != 0) {
                throw new FailedMeasureException("a process failed: " + said, null);
            }
            all = LongStream.concat(all, read(files.get(i)));
            Files.delete(files.get(i));
        }
        return of(all.sorted().toArray());
    }

    private static Process start(String uri, Path file, int seconds) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        WaitingProcesses.class.getName(),
                        uri,
                        file.toString(),
                        Integer.toString(seconds))
                .redirectErrorStream(true)
                .start();
    }

    private static LongStream read(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            long[] grants = new long[Math.toIntExact(Files.size(file) / Long.BYTES)];
            for (int i = 0; i < grants.length; i++) {
                grants[i] = in.readLong();
            }
            return Arrays.stream(grants);
        }
    }

    private static WaitingProcesses of(long[] grants) {
        int over = 0;
        for (int i = PERMITS; i < grants.length; i++) {
            over += grants[i] - grants[i - PERMITS] < WINDOW_NANOS ? 1 : 0;
        }
        if (grants.length == 0) {
            throw new FailedMeasureException("no permits were granted", null);
        }
        long from = grants[0] + 2 * WINDOW_NANOS;
        long windows = Math.max(1, (grants[grants.length - 1] - from) / WINDOW_NANOS - 1);
        long used = Arrays.stream(grants)
                .filter(at -> at >= from && at < from + windows * WINDOW_NANOS)
                .count();
        return new WaitingProcesses(100.0 * used / (windows * PERMITS), over);
    }

    private static void wait(String uri, Path file, Duration duration) throws Exception {
        ConcurrentLinkedQueue<Long> grants = new ConcurrentLinkedQueue<>();
        try (RedisStore store = RedisStore.builder(uri).timeout(PATIENCE).connect()) {
            RateLimiter limiter = RateLimiter.builder()
                    .name("waiting")
                    .limit("1000/1s resolution=1us")
                    .store(store)
                    .whenStoreFails(FailurePolicy.closed())
                    .build();
            long end = System.nanoTime() + duration.toNanos();
            Executor executor = ForkJoinPool.commonPool();
            Executor later = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);
            class Caller implements Runnable {
                @Override
                public void run() {
                    if (System.nanoTime() - end < 0) {
                        var unused = limiter.tryAcquireAsync("key", PATIENCE).thenAccept(this::count);
                    }
                }

                private void count(Decision decision) {
                    if (decision.allowed()) {
                        grants.add(decision.timeNanos() + decision.waitNanos());
                    }
                    (decision.allowed() ? executor : later).execute(this);
                }
            }
            for (int i = 0; i < CALLERS; i++) {
                new Caller().run();
            }
            Await.until("the end", () -> System.nanoTime() - end >= TimeUnit.SECONDS.toNanos(1));
        }
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
            for (long grant : grants) {
                out.writeLong(grant);
            }
        }
        System.exit(0);
    }
}
