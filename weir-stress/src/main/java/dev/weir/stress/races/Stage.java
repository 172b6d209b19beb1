package dev.weir.stress.races;

import dev.weir.Clock;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.store.MemoryStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** What a race starts from: a store of its own, on a clock that goes only when the race sets it. One tick is 1 ns. */
final class Stage {
    static final Duration AT_ONCE = Duration.ZERO;
    static final Duration HOWEVER_LONG = Duration.ofDays(1);

    private final AtomicLong time = new AtomicLong();
    private final MemoryStore store;

    Stage() {
        this(1_000_000);
    }

    Stage(int maxKeys) {
        store = MemoryStore.builder().clock(time::get).maxKeys(maxKeys).build();
    }

    /** A limiter on this stage's store; all of one store share their keys. */
    RateLimiter limiter(long permits, long window) {
        return limiter(log(permits, window));
    }

    RateLimiter limiter(Limit... limits) {
        return RateLimiter.builder()
                .limits(Limits.of(limits))
                .store(store)
                .clock(clock())
                .build();
    }

    static Limit log(long permits, long window) {
        return Limit.slidingLog(permits, Duration.ofNanos(window));
    }

    Clock clock() {
        return time::get;
    }

    void setTime(long nanos) {
        time.set(nanos);
    }

    /** One booking at each of the next instants. */
    void fill(RateLimiter limiter, String key, int instants) {
        for (int i = 0; i < instants; i++) {
            time.incrementAndGet();
            limiter.tryAcquire(key);
        }
    }

    static Reservation book(RateLimiter limiter, String key, long permits) {
        return limiter.reserve(key, permits, AT_ONCE);
    }
}
