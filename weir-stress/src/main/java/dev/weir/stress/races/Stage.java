package dev.weir.stress.races;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.store.MemoryStore;
import dev.weir.store.MemoryStoreBuilder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** What a race starts from: a store of its own, whose time advances only when the race sets it. One tick is 1 ns. */
final class Stage {
    static final Duration NO_WAIT = Duration.ZERO;
    static final Duration ANY_WAIT = Duration.ofDays(1);

    private final AtomicLong time = new AtomicLong();
    private final MemoryStore store;

    Stage() {
        this(MemoryStore.builder());
    }

    Stage(MemoryStoreBuilder builder) {
        store = builder.timeSource(time::get).build();
    }

    /** Creates a limiter on this stage's store; all limiters of one stage share their keys' state. */
    RateLimiter limiter(long permits, long window) {
        return limiter(log(permits, window));
    }

    RateLimiter limiter(Limit... limits) {
        return RateLimiter.builder()
                .name("race")
                .limits(Limits.of(limits))
                .store(store)
                .build();
    }

    static Limit log(long permits, long window) {
        return Limit.slidingLog(permits, Duration.ofNanos(window));
    }

    void setTime(long nanos) {
        time.set(nanos);
    }

    /** Records one permit at each of the next instants. */
    void fill(RateLimiter limiter, String key, int instants) {
        for (int i = 0; i < instants; i++) {
            time.incrementAndGet();
            take(limiter, key);
        }
    }

    /** Acquires a permit if one is available; the decision does not matter. */
    static void take(RateLimiter limiter, String key) {
        take(limiter, key, 1);
    }

    /** Acquires permits if they are available; the decision does not matter. */
    static void take(RateLimiter limiter, String key, long permits) {
        Decision unused = limiter.tryAcquire(key, permits);
    }

    static Reservation reserve(RateLimiter limiter, String key, long permits) {
        return limiter.reserve(key, permits, NO_WAIT);
    }
}
