package dev.weir.benchmarks.redis;

import dev.weir.FailurePolicy;
import dev.weir.RateLimiter;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.redis.RedisStore;
import dev.weir.testing.Await;
import dev.weir.testing.JavaCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** Processes whose callers all wait for one limit. */
final class WaitingProcesses {
    private static final int CALLERS = 500; // of each process
    private static final int PERMITS = 1_000;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Executor LATER = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

    private WaitingProcesses() {}

    /**
     * Returns how much of the limit is used, in percent.
     *
     * @throws FailedMeasureException if a process fails, or a window had more permits than the limit
     */
    static double percentUsed(String uri, Effort effort) throws IOException, InterruptedException {
        String main = WaitingProcesses.class.getName();
        String seconds = Integer.toString(effort.of(2, 10, 30));
        List<String> command = JavaCommand.of("-Xmx256m", effort.compiler(), main, uri, seconds);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < effort.of(2, 4, 4); i++) {
            processes.add(builder.start());
        }
        List<String> grants = new ArrayList<>();
        for (Process process : processes) {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new FailedMeasureException("a process failed: " + said);
            }
            said.lines()
                    .filter(line -> line.matches("[0-9]+ [0-9]+"))
                    .forEach(grants::add); // not what the JVM warns of
        }
        return percentUsed(times(grants, 0), times(grants, 1));
    }

    private static long[] times(List<String> grants, int column) {
        return grants.stream()
                .mapToLong(grant -> Long.parseLong(grant.split(" ", 2)[column]))
                .sorted()
                .toArray();
    }

    /**
     * Returns the use between the second window and the last but one.
     *
     * @param granted the times of the grants as decided, in order; no window may have more than the limit
     * @param seen the times at which their callers got them, in order, which count as use
     */
    static double percentUsed(long[] granted, long[] seen) {
        int over = 0;
        for (int i = PERMITS; i < granted.length; i++) {
            over += granted[i] - granted[i - PERMITS] < WINDOW_NANOS ? 1 : 0;
        }
        if (granted.length == 0 || over > 0) {
            throw new FailedMeasureException(
                    granted.length + " permits were granted, and " + over + " windows had more than " + PERMITS);
        }
        long from = seen[0] + 2 * WINDOW_NANOS;
        long windows = Math.max(1, (seen[seen.length - 1] - from) / WINDOW_NANOS - 1);
        long used = Arrays.stream(seen)
                .filter(at -> at >= from && at < from + windows * WINDOW_NANOS)
                .count();
        return 100.0 * used / (windows * PERMITS);
    }

    /**
     * Runs a process, which prints the times of its grants at the end.
     *
     * @param words the URI of the server and the number of seconds
     */
    public static void main(String... words) throws InterruptedException {
        Queue<String> grants = new ConcurrentLinkedQueue<>();
        try (RedisStore store = RedisStore.builder(words[0]).timeout(TIMEOUT).connect()) {
            RateLimiter limiter = RateLimiter.builder()
                    .name("waiting")
                    .limit("1000/1s resolution=1us")
                    .store(store)
                    .whenStoreFails(FailurePolicy.closed())
                    .build();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(words[1]));
            for (int i = 0; i < CALLERS; i++) {
                callUntil(end, limiter, grants);
            }
            Await.until("the end", () -> System.nanoTime() - end >= TimeUnit.SECONDS.toNanos(1));
        }
        grants.forEach(System.out::println);
        System.exit(0);
    }

    /** Runs one caller, which calls again after each decision, after a denial a little later. */
    private static void callUntil(long end, RateLimiter limiter, Queue<String> grants) {
        if (System.nanoTime() - end < 0) {
            var unused = limiter.tryAcquireAsync("key", TIMEOUT).thenAccept(decision -> {
                if (decision.allowed()) {
                    long seen = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
                    grants.add(decision.timeNanos() + decision.waitNanos() + " " + seen);
                }
                (decision.allowed() ? ForkJoinPool.commonPool() : LATER).execute(() -> callUntil(end, limiter, grants));
            });
        }
    }
}
