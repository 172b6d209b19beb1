package dev.weir.stress.races;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.store.Store;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of one race share: a limiter on a store of its own, a reservation, a flag, and the time, which advances only
 * when it is set. One tick is 1 ns. A race is about {@link #KEY} where it names no other key.
 */
final class Stage {
    static final String KEY = "a".repeat(1_000);
    private static final Duration ONE_DAY = Duration.ofDays(1);
    private static final ThreadLocal<Long> READING = ThreadLocal.withInitial(() -> 0L);

    /** Set by one thread when its operation has returned, and read by the other before its own. */
    volatile boolean done;

    private final AtomicLong time = new AtomicLong();
    private final Store store;
    private final RateLimiter limiter;
    private @Nullable Reservation held;

    /** Creates a stage. With {@code ownReadings}, each thread has readings of its own, which may go backwards. */
    Stage(Room room, boolean ownReadings, Limits limits) {
        store = room.store(ownReadings ? READING::get : time::get);
        limiter = limiter(limits);
    }

    /** Returns a limiter of the same name with its own limits. */
    RateLimiter limiter(Limits limits) {
        return RateLimiter.builder().name("race").limits(limits).store(store).build();
    }

    static Limits limit(long permits, long window) {
        return Limits.of(Limit.slidingLog(permits, Duration.ofNanos(window)));
    }

    /** Sets the time. */
    boolean timeIs(long nanos) {
        time.set(nanos);
        return true;
    }

    /** Requests another key at a reading of the calling thread's own, and returns the time of the decision. */
    long timeOfDecision(String key, long reading) {
        READING.set(reading);
        return limiter.tryAcquire(key).timeNanos();
    }

    boolean acquire() {
        return acquire(KEY, 1);
    }

    boolean acquire(long permits) {
        return acquire(KEY, permits);
    }

    boolean acquire(String key, long permits) {
        return limiter.tryAcquire(key, permits).allowed();
    }

    /** Acquires with an equal key whose hash is not known yet, which takes time between the reading and the look-up. */
    String acquireSlowly() {
        var decision = limiter.tryAcquire(new String(KEY.toCharArray()));
        return decision.allowed() ? "at " + decision.timeNanos() : "denied";
    }

    boolean acquireAll(String one, String other) {
        return RateLimiter.tryAcquireAll(limiter.request(one, 1), limiter.request(other, 1))
                .allowed();
    }

    /** Acquires one permit at each of the next instants. */
    boolean fill(int instants) {
        for (int i = 0; i < instants; i++) {
            time.incrementAndGet();
            acquire();
        }
        return true;
    }

    /** Reserves permits for {@link #held}. */
    boolean hold(long permits) {
        held = limiter.reserve(KEY, permits, Duration.ZERO);
        return true;
    }

    /** Cancels the reservation that is held. */
    boolean cancel() {
        return Objects.requireNonNull(held).cancel();
    }

    /** Refunds permits of the reservation that is held. */
    boolean refund(long permits) {
        return Objects.requireNonNull(held).refund(permits);
    }

    /** Reserves a permit and returns how long to wait for it. */
    long reserve() {
        return limiter.reserve(KEY, 1, ONE_DAY).decision().waitNanos();
    }

    boolean changeLimits(Limits limits) {
        limiter.changeLimits(limits);
        return true;
    }

    boolean reset() {
        limiter.reset(KEY);
        return true;
    }

    boolean block(long nanos) {
        limiter.block(KEY, Duration.ofNanos(nanos));
        return true;
    }

    boolean unblock() {
        limiter.unblock(KEY);
        return true;
    }

    long retryAfter() {
        return limiter.tryAcquire(KEY).retryAfterNanos();
    }

    long remaining() {
        return remaining(KEY);
    }

    long remainingAt(long nanos) {
        timeIs(nanos);
        return remaining();
    }

    long remaining(String key) {
        return limiter.peek(key).remaining();
    }
}
