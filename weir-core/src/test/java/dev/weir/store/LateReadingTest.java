package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Clock;
import dev.weir.Decision;
import dev.weir.RateLimiter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Requests that read the clock and are then long on their way, while others come and go: what they book is no earlier. */
class LateReadingTest {
    private static final long MS = 1_000_000;
    private static final long START = 1_000_000_000_000L;

    private final AtomicLong time = new AtomicLong(START);
    private final AtomicReference<Runnable> onTheWay = new AtomicReference<>(() -> {});

    /** Between a reading and its use, whatever is on the way happens, once. */
    private final Clock clock = () -> {
        long reading = time.get();
        onTheWay.getAndSet(() -> {}).run();
        return reading;
    };

    private void at(long millis) {
        time.set(START + millis * MS);
    }

    private static String[] twoThatShare() {
        Map<Integer, String> bySlot = new HashMap<>();
        for (int i = 0; ; i++) {
            String key = "key" + i;
            String other = bySlot.put(((key.hashCode() * 0x9E3779B9) >>> 16) % 1024, key);
            if (other != null) {
                return new String[] {other, key};
            }
        }
    }

    @Test
    void keyVisitedByTheSweeper_keepsWhatAnEarlierReadingCounts() {
        RateLimiter limiter =
                RateLimiter.builder().limit("2/100ms").clock(clock).build();
        at(50);
        limiter.tryAcquire("key");
        at(120);
        limiter.tryAcquire("key");
        at(145);
        onTheWay.set(() -> {
            at(155);
            for (int i = 0; i < 3; i++) {
                limiter.tryAcquire("new" + i); // each visits two keys
            }
        });

        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void commonStateLookedAtLater_keepsWhatAnEarlierReadingCounts() {
        MemoryStore store = MemoryStore.builder().clock(clock).maxKeys(1).build();
        RateLimiter limiter =
                RateLimiter.builder().limit("5/100ms").clock(clock).store(store).build();
        String[] keys = twoThatShare();
        limiter.tryAcquire("filler");
        at(70);
        assertThat(limiter.tryAcquire(keys[0], 5).degraded()).isTrue();
        at(150);
        limiter.tryAcquire(keys[1]);
        at(160);
        onTheWay.set(() -> {
            at(200);
            limiter.peek(keys[0]);
        });

        Decision decision = limiter.tryAcquire(keys[0], 5);

        long bookedAt = 160 + (decision.resetAfterNanos() / MS - 100);
        assertThat(!decision.allowed() || bookedAt >= 170).as("%s", decision).isTrue();
    }

    @Test
    void clockSteppedBackMeanwhile_theReadingIsNotTakenForALaterOne() {
        RateLimiter limiter = RateLimiter.builder().limit("5/1h").clock(clock).build();
        long admitted = 0;
        for (int i = 0; i < 9; i++) {
            admitted += limiter.tryAcquire("key").allowed() ? 1 : 0;
        }
        onTheWay.set(() -> {
            time.addAndGet(-7_200_000 * MS);
            for (int i = 0; i < 30; i++) { // 3 s pass
                limiter.tryAcquire("other");
                time.addAndGet(100 * MS);
            }
        });
        for (int i = 0; i < 9; i++) {
            admitted += limiter.tryAcquire("key").allowed() ? 1 : 0;
        }

        assertThat(admitted).isEqualTo(5);
    }
}
