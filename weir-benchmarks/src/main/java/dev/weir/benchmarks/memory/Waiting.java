package dev.weir.benchmarks.memory;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.store.MemoryStore;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One key of Weir with 60,000 runs in its log and 1,000 pending reservations. One thread. */
public class Waiting {
    private static final String KEY = Keys.name(1);
    private static final int RUNS = 60_000; // one in each millisecond of a minute
    private static final int PENDING = 1_000;
    private static final int CALLS_PER_TICK = 256;
    private static final long TICK_NANOS = 1_000_000;
    private static final Duration ANY_WAIT = Duration.ofDays(1);

    /** A limiter with room: the reservations are pending because another limiter delays them, and lie within the next window. */
    @State(Scope.Benchmark)
    public static class WithRoom {
        private long now;
        private long calls;
        RateLimiter limiter;

        /** Fills the log again, since time has passed. */
        @Setup(Level.Iteration)
        public void fill() {
            now = 0;
            MemoryStore store = MemoryStore.builder().timeSource(() -> now).build();
            limiter = limiter(store, "wide", Limit.parse("1000000000/1m"));
            for (int i = 0; i < RUNS; i++) {
                now += TICK_NANOS;
                request(limiter, 1);
            }
            RateLimiter slow = limiter(store, "slow", Limit.parse("1/50ms"));
            request(slow, 1);
            for (int i = 0; i < PENDING; i++) {
                reserved(RateLimiter.reserveAll(ANY_WAIT, limiter.request(KEY, 1), slow.request(KEY, 1)));
            }
        }

        /** Requests a permit; from time to time a tick passes. */
        Decision acquire() {
            if (++calls % CALLS_PER_TICK == 0) {
                now += TICK_NANOS;
            }
            return limiter.tryAcquire(KEY);
        }
    }

    /** A limiter whose limit is used up, and whose reservations wait for the oldest permits to expire. */
    @State(Scope.Benchmark)
    public static class Full {
        private long now;
        private int next;
        private int turn;
        RateLimiter limiter;

        /** Fills the log. */
        @Setup(Level.Iteration)
        public void fill() {
            now = 0;
            MemoryStore store = MemoryStore.builder().timeSource(() -> now).build();
            limiter = limiter(store, "full", Limit.parse(RUNS + "/1m"));
            for (int i = 0; i < RUNS; i++) {
                now += TICK_NANOS;
                request(limiter, 1);
            }
            for (int i = 0; i < PENDING; i++) {
                reserved(limiter.reserve(KEY, ANY_WAIT));
            }
        }

        /** Requests 1 to 1,000 permits, in descending order, so that no denial before it decides. */
        Decision deny() {
            next = next == 0 ? PENDING : next - 1;
            return limiter.tryAcquire(KEY, next + 1);
        }

        Decision reserveAndCancel() {
            Reservation reservation = limiter.reserve(KEY, ANY_WAIT);
            reservation.cancel();
            return reservation.decision();
        }
    }

    private static RateLimiter limiter(MemoryStore store, String name, Limit limit) {
        return RateLimiter.builder().name(name).limit(limit).store(store).build();
    }

    private static void request(RateLimiter limiter, long permits) {
        if (!limiter.tryAcquire(KEY, permits).allowed()) {
            throw new IllegalStateException("denied while the log is filled");
        }
    }

    private static void reserved(Reservation reservation) {
        if (reservation.decision().waitNanos() == 0) {
            throw new IllegalStateException("not pending: " + reservation);
        }
    }

    /** A request that is admitted. */
    @Benchmark
    public Decision admission(WithRoom state, Outcomes outcomes) {
        return outcomes.count(state.acquire());
    }

    /** A request that is denied. */
    @Benchmark
    public Decision denial(Full state, Outcomes outcomes) {
        return outcomes.count(state.deny());
    }

    /** A peek. */
    @Benchmark
    public Decision peek(Full state, Outcomes outcomes) {
        return outcomes.count(state.limiter.peek(KEY));
    }

    /** A pending reservation behind all others, and its cancel. */
    @Benchmark
    @OperationsPerInvocation(2)
    public Decision reservationAndCancel(Full state, Outcomes outcomes) {
        return outcomes.count(state.reserveAndCancel());
    }

    /** One of the calls above, round robin, and each is timed. */
    @Benchmark
    public Decision allInTurnTimed(WithRoom room, Full full, Outcomes outcomes, CallTimes.OfThread times) {
        int turn = full.turn++ & 3;
        long start = System.nanoTime();
        Decision decision = switch (turn) {
            case 0 -> room.acquire();
            case 1 -> full.limiter.peek(KEY);
            case 2 -> full.reserveAndCancel();
            default -> full.deny();
        };
        times.addSince(start);
        return outcomes.count(decision);
    }
}
