package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.testing.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Several processes, each with a store of its own, on one server. */
final class SeparateProcessesTest {
    private static final int PROCESSES = 2;

    private static Trace run(Worker.Task task) {
        Trace trace = new Trace();
        List<Worker> workers = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                workers.add(Worker.start(task));
            }
            workers.forEach(worker -> worker.addTo(trace));
        } finally {
            workers.forEach(Worker::close);
        }
        return trace;
    }

    @Test
    void twoProcesses_noWindowIsOverfull_nearlyAllIsGranted() {
        String limit = "40/500ms resolution=1us";
        try (RedisServer server = RedisServer.start()) {
            Trace trace = run(new Worker.Task(server.uri(), limit, 3, 12, Duration.ZERO, 0, Duration.ofSeconds(3)));

            trace.assertHolds(Limit.parse(limit));
            long window = TimeUnit.MILLISECONDS.toNanos(500);
            long[] permits = LongStream.iterate(trace.firstNanos(), start -> start + window / 50)
                    .takeWhile(start -> start + window <= trace.lastNanos())
                    .map(start -> trace.permits(start, start + window))
                    .sorted()
                    .toArray();
            assertThat(permits).isNotEmpty();
            // The best window, because a busy machine may stop the processes in the others.
            assertThat(permits[permits.length - 1]).isGreaterThan(3 * 36);
            assertThatThrownBy(() -> trace.assertHolds(Limit.parse("36/500ms resolution=1us")))
                    .isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void twoProcesses_withReservationsAndRefunds_noWindowIsOverfull() {
        String limit = "100/200ms resolution=1us";
        List<Path> binaries = RedisServer.binaries();
        try (RedisServer server = RedisServer.start(binaries.get(binaries.size() - 1))) {
            Trace trace =
                    run(new Worker.Task(server.uri(), limit, 3, 4, Duration.ofMillis(150), 4, Duration.ofSeconds(1)));

            trace.assertHolds(Limit.parse(limit));
            assertThat(trace.permits()).isGreaterThan(100);
        }
    }

    /** Only the server's clock matters, not those of the processes. */
    @Test
    void oneServer_severalStores_useItsClock() {
        try (RedisServer server = RedisServer.start();
                RedisStore one = RedisStore.builder(server.uri())
                        .timeout(Duration.ofSeconds(5))
                        .connect();
                RedisStore two = RedisStore.builder(server.uri())
                        .timeout(Duration.ofSeconds(5))
                        .connect()) {
            RateLimiter first = limiter(one);
            RateLimiter second = limiter(two);

            assertThat(first.tryAcquire("key").remaining()).isEqualTo(2);
            assertThat(second.tryAcquire("key").remaining()).isEqualTo(1);
            assertThat(first.tryAcquire("key").remaining()).isZero();
            assertThat(second.tryAcquire("key").allowed()).isFalse();
            assertThat(second.tryAcquire("key").retryAfter()).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
            assertThat(first.tryAcquire("key").retryAfter()).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
        }
    }

    private static RateLimiter limiter(RedisStore store) {
        return RateLimiter.builder().name("test").limit("3/1h").store(store).build();
    }
}
