package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.RateLimiter;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Processes whose callers all wait for one limit, and how much of it they use. A program: it starts a server, four processes and
 * in each of them 500 callers, and prints the use of {@code 1000/1s} and the number of windows that exceed it.
 */
public final class WaitingProcesses {
    private static final int PROCESSES = 4;
    private static final int CALLERS = 500;
    private static final int PERMITS = 1_000;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private WaitingProcesses() {}

    /** Runs a process if there is a URI, a file and a number of seconds; else all of them, for 10 s. */
    public static void main(String... words) throws Exception {
        if (words.length == 3) {
            wait(words[0], Path.of(words[1]), Duration.ofSeconds(Long.parseLong(words[2])));
        } else {
            try (RedisServer server = RedisServer.start()) {
                report(run(server.uri(), 10));
            }
        }
    }

    private static long[] run(String uri, int seconds) throws Exception {
        List<Process> processes = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            Path file = Files.createTempFile("weir-waiting", ".grants");
            files.add(file);
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            WaitingProcesses.class.getName(),
                            uri,
                            file.toString(),
                            Integer.toString(seconds))
                    .redirectErrorStream(true)
                    .start());
        }
        LongStream all = LongStream.empty();
        for (int i = 0; i < PROCESSES; i++) {
            String said = new String(processes.get(i).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (processes.get(i).waitFor() != 0) {
                throw new IllegalStateException("a process failed: " + said);
            }
            System.out.print(said);
            all = LongStream.concat(all, read(files.get(i)));
            Files.delete(files.get(i));
        }
        return all.sorted().toArray();
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

    /** Prints the use of the limit between the second window and the last but one, and the windows that exceed it. */
    private static void report(long[] grants) {
        int over = 0;
        for (int i = PERMITS; i < grants.length; i++) {
            over += grants[i] - grants[i - PERMITS] < WINDOW_NANOS ? 1 : 0;
        }
        long from = grants[0] + 2 * WINDOW_NANOS;
        long windows = (grants[grants.length - 1] - from) / WINDOW_NANOS - 1;
        long used = Arrays.stream(grants)
                .filter(at -> at >= from && at < from + windows * WINDOW_NANOS)
                .count();
        System.out.printf(
                "%d grants; use of the limit %.2f %% in %d windows; windows over: %d%n",
                grants.length, 100.0 * used / (windows * PERMITS), windows, over);
    }

    private static void wait(String uri, Path file, Duration duration) throws Exception {
        ConcurrentLinkedQueue<Long> grants = new ConcurrentLinkedQueue<>();
        AtomicLong degraded = new AtomicLong();
        AtomicLong denied = new AtomicLong();
        try (RedisStore store = RedisStore.builder(uri).connect()) {
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
                    } else {
                        (decision.degraded() ? degraded : denied).incrementAndGet();
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
        System.out.printf("%d grants, %d denied, %d degraded%n", grants.size(), denied.get(), degraded.get());
        System.exit(0);
    }
}
