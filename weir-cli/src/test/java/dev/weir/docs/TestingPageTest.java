package dev.weir.docs;

import static dev.weir.testkit.WeirAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.testkit.ManualTimeSource;
import dev.weir.testkit.StoreContract;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import dev.weir.testkit.TraceWriter;
import dev.weir.testkit.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java snippets of docs/testing.md: each is a region of this class. */
final class TestingPageTest {
    @TempDir
    private Path directory;

    @Test
    void manualTimeSource_advanced_admitsAgain() {
        // region
        ManualTimeSource time = new ManualTimeSource();
        RateLimiter limiter =
                RateLimiter.builder().limit("2/1s").timeSource(time).build();

        assertThat(limiter.tryAcquire("k", 2)).isAllowed().hasRemaining(0);
        assertThat(limiter.tryAcquire("k")).isDenied().hasRetryAfter(Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("k")).isAllowed();
        // endregion
    }

    @Test
    void tryAcquireAsync_timeAdvanced_isCompleted() {
        ManualTimeSource time = new ManualTimeSource();
        RateLimiter limiter =
                RateLimiter.builder().limit("2/1s").timeSource(time).build();
        assertThat(limiter.tryAcquire("k", 2)).isAllowed();
        // region
        CompletableFuture<Decision> waiting = limiter.tryAcquireAsync("k", Duration.ofSeconds(5));
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofSeconds(1));
        assertThat(waiting).isCompleted();
        // endregion
    }

    @Test
    void acquire_threadWaitsAndTimeAdvanced_isReleased() throws Exception {
        ManualTimeSource time = new ManualTimeSource();
        RateLimiter limiter =
                RateLimiter.builder().limit("2/1s").timeSource(time).build();
        assertThat(limiter.tryAcquire("k", 2)).isAllowed();
        // region
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Future<Decision> waiting = threads.submit(() -> limiter.acquire("k", Duration.ofSeconds(5)));
        while (time.waiting() == 0) {
            Thread.onSpinWait();
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(waiting.get(5, TimeUnit.SECONDS)).isAllowed();
        // endregion
        threads.shutdown();
    }

    @Test
    void traceChecker_traceOfFixedWindow_namesTheWindow() {
        // region
        List<TraceEvent> trace = List.of(
                new TraceEvent(59_000_000_000L, "alice", 5, TraceEvent.Kind.ALLOWED),
                new TraceEvent(60_000_000_000L, "alice", 1, TraceEvent.Kind.ALLOWED));

        Verdict verdict = TraceChecker.check(Limit.parse("5/1m"), trace);
        assertThat(verdict.holds()).isFalse();
        // endregion
        assertThat(TraceChecker.check(Limit.parse("fixed-window 5/1m"), trace).holds())
                .isTrue();
    }

    @Test
    void traceWriter_asListener_writesWhatVerifyReads() throws IOException {
        Path file = directory.resolve("trace.csv");
        // region
        try (TraceWriter trace = TraceWriter.to(file)) {
            RateLimiter limiter =
                    RateLimiter.builder().limit("5/10s").listener(trace).build();
            assertThat(limiter.tryAcquire("alice")).isAllowed();
        }
        // endregion
        assertThat(Files.readString(file)).contains(",alice,1,1");
    }

    @Test
    void manualTimeSource_backwards_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ManualTimeSource().advance(Duration.ofSeconds(-1)));
    }

    @Nested
    // region
    final class MyStoreTest extends StoreContract {
        @Override
        protected Store store(TimeSource time) {
            return MemoryStore.builder().timeSource(time).build();
        }
    }
    // endregion
}
