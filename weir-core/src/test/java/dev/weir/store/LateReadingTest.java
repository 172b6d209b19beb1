package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that read the clock and are then delayed while others are decided: their permits are recorded no earlier. */
class LateReadingTest {
    private static final long MS = 1_000_000;
    private static final long START = 1_000_000_000_000L;

    private final AtomicLong time = new AtomicLong(START);
    private final AtomicReference<Runnable> afterReading = new AtomicReference<>(() -> {});
    private MemoryStore store;

    /** Runs an action once, between a reading of the clock and its use. */
    private long read() {
        long reading = time.get();
        afterReading.getAndSet(() -> {}).run();
        return reading;
    }

    private void at(long millis) {
        time.set(START + millis * MS);
    }

    private RateLimiter limiter(String limit) {
        store = new MemoryStore(TimeSource.system(), this::read, 1_000_000, 1 << 20, task -> {});
        return RateLimiter.builder().name("test").limit(limit).store(store).build();
    }

    @Test
    void moreThanEverGranted_earlierReading_isNever() {
        RateLimiter limiter = limiter("2/100ms");
        at(20);
        limiter.tryAcquire("key");
        at(10);

        assertThat(limiter.tryAcquire("key", 3).never()).isTrue();
    }

    @Test
    void visitedKey_earlierReading_keepsWhatItCounts() {
        RateLimiter limiter = limiter("2/100ms");
        at(50);
        limiter.tryAcquire("key");
        at(120);
        limiter.tryAcquire("key");
        at(145);
        afterReading.set(() -> {
            at(155);
            store.idleKeyTimer.visitOneSecond();
        });

        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void keyRemovedMeanwhile_theStaleReadingIsRecordedAfterItsWindow() {
        RateLimiter limiter = limiter("1/10ms");
        limiter.tryAcquire("key");
        at(5);
        afterReading.set(() -> {
            at(10);
            store.idleKeyTimer.visitOneSecond();
            limiter.tryAcquire("other");
        });

        Decision decision = limiter.tryAcquire("key");

        assertThat(decision.allowed()).isTrue();
        assertThat(5 + decision.resetAfterNanos() / MS).isEqualTo(10 + 10);
    }

    /** The latest of all removals counts, not only the first. */
    @Test
    void keyRemovedMeanwhile_afterAnother_theStaleReadingIsRecordedAfterItsWindow() {
        RateLimiter limiter = limiter("1/10ms");
        limiter.tryAcquire("first");
        at(10);
        store.idleKeyTimer.visitOneSecond();
        at(100);
        limiter.tryAcquire("key");
        at(105);
        afterReading.set(() -> {
            at(110);
            store.idleKeyTimer.visitOneSecond();
        });

        Decision decision = limiter.tryAcquire("key");

        assertThat(decision.allowed()).isTrue();
        assertThat(105 + decision.resetAfterNanos() / MS).isEqualTo(110 + 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9/1s", "9/1s resolution=100ms", "9/1s count=attempts"})
    void keyUsedMeanwhile_itsTimeIsThatOfTheDecision(String limit) {
        RateLimiter limiter = limiter(limit);
        limiter.tryAcquire("key");
        for (Runnable use : new Runnable[] {
            () -> assertThat(limiter.tryAcquire("key").allowed()).isTrue(),
            () -> assertThat(limiter.tryAcquire("key", 2).allowed()).isTrue(),
            () -> limiter.reset("key")
        }) {
            long late = time.get() + 20 * MS;
            afterReading.set(() -> {
                time.set(late);
                use.run();
            });

            assertThat(limiter.tryAcquire("key").timeNanos()).isEqualTo(late);
        }
    }

    @Test
    void reserve_keyUsedMeanwhile_waitsNoLongerThanMaxWait() {
        RateLimiter limiter = limiter("1/100ms");
        limiter.tryAcquire("key");
        at(10);
        afterReading.set(() -> {
            at(30);
            assertThat(limiter.tryAcquire("key").allowed()).isFalse();
        });
        assertThat(limiter.reserve("key", 1, Duration.ofNanos(90 * MS - 1))
                        .decision()
                        .allowed())
                .isFalse();

        at(40);
        afterReading.set(() -> at(50));
        assertThat(limiter.reserve("key", 1, Duration.ofMillis(60)).decision().waitNanos())
                .isEqualTo(60 * MS);
    }

    @Test
    void keyUsedMeanwhile_waitAndRetryAfterCountFromTheReading() {
        RateLimiter limiter = limiter("1/100ms");
        limiter.tryAcquire("key");
        Runnable use = () -> {
            time.addAndGet(20 * MS);
            assertThat(limiter.peek("key").allowed()).isFalse(); // a cached denial would not be a use
        };
        at(10);
        afterReading.set(use);
        Decision denied = limiter.tryAcquire("key");
        assertThat(denied.timeNanos() + denied.retryAfterNanos()).isEqualTo(START + 100 * MS);

        at(40);
        afterReading.set(use);
        Decision waiting = limiter.reserve("key", Duration.ofMillis(60)).decision();
        assertThat(waiting.timeNanos() + waiting.waitNanos()).isEqualTo(START + 100 * MS);
    }

    @Test
    void jointRequest_lastKeyUsedMeanwhile_isGrantedAtItsTime() {
        RateLimiter limiter = limiter("1/10ms");
        limiter.tryAcquire("key");
        at(5);
        afterReading.set(() -> {
            at(10);
            assertThat(limiter.peek("key").allowed()).isTrue();
        });

        Decision decision = RateLimiter.tryAcquireAll(limiter.request("other", 1), limiter.request("key", 1));

        assertThat(decision.allowed()).isTrue();
        assertThat(decision.timeNanos()).isEqualTo(START + 10 * MS);
    }
}
