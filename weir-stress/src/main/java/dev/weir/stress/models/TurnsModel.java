package dev.weir.stress.models;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.LongGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * One key at one instant: turns are booked, each the earliest that fits and delays nobody before it, and one booked ahead
 * is cancelled.
 */
@Param(name = "permits", gen = LongGen.class, conf = "1:2")
@Scenario(one = "reserve 1; reserve 1", two = "reserve 2", after = "tryAcquire 1")
@Scenario(one = "cancel; reserve 1", two = "reserve 1", after = "reserve 1")
public class TurnsModel {
    private static final long PERMITS = 2;
    private static final long WINDOW = 10;

    private final RateLimiter limiter = Model.limiter(PERMITS, WINDOW, () -> 0);
    private final Reservation ahead;

    public TurnsModel() {
        Decision unused = limiter.tryAcquire("a", PERMITS);
        ahead = limiter.reserve("a", 1, Duration.ofDays(1));
    }

    @Operation
    public long reserve(@Param(name = "permits") long permits) {
        return limiter.reserve("a", permits, Duration.ofDays(1)).decision().waitNanos();
    }

    @Operation
    public String tryAcquire(@Param(name = "permits") long permits) {
        Decision decision = limiter.tryAcquire("a", permits);
        return Model.told(decision.allowed(), decision.retryAfterNanos());
    }

    @Operation(runOnce = true)
    public boolean cancel() {
        return ahead.cancel();
    }

    /** The same, one after the other. */
    public static final class Specification {
        private final BookedInstants booked = new BookedInstants(PERMITS, WINDOW);

        public Specification() {
            booked.book(0, PERMITS);
            booked.book(WINDOW, 1);
        }

        public long reserve(long permits) {
            long turn = booked.earliest(0, permits);
            booked.book(turn, permits);
            return turn;
        }

        public String tryAcquire(long permits) {
            boolean allowed = booked.admit(0, permits);
            return Model.told(allowed, allowed ? 0 : booked.earliest(0, permits));
        }

        public boolean cancel() {
            booked.giveBack(WINDOW, 1);
            return true;
        }
    }
}
