package dev.weir.stress.models;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.LongGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * One key at one instant: admissions, a reservation that is refunded and cancelled, and resets. What is given back after a
 * reset has no effect.
 *
 * <p>One thread gives back: who is told that another has cancelled before may be told so a moment before the permits are
 * back. Races of two who give back are {@code TwoCancelsRace} and its like.
 */
@Param(name = "permits", gen = LongGen.class, conf = "1:2")
@Scenario(one = "cancel", two = "tryAcquire 2; tryAcquire 2", after = "tryAcquire 1")
@Scenario(before = "tryAcquire 1", one = "reset; tryAcquire 2", two = "cancel; tryAcquire 2", after = "tryAcquire 1")
@Scenario(one = "refund; tryAcquire 1", two = "tryAcquire 1; tryAcquire 1", after = "cancel; tryAcquire 2")
@Scenario(
        before = "tryAcquire 2",
        one = "cancel",
        two = "tryAcquire 1; tryAcquire 1",
        after = "tryAcquire 1; tryAcquire 2")
public class GivingBackModel {
    private static final long PERMITS = 4;
    private static final long HELD = 2;

    private final RateLimiter limiter = Model.limiter(PERMITS, 10, () -> 0);
    private final Reservation held = limiter.reserve("a", HELD, Duration.ZERO);

    @Operation
    public String tryAcquire(@Param(name = "permits") long permits) {
        Decision decision = limiter.tryAcquire("a", permits);
        return Model.told(decision.allowed(), decision.remaining());
    }

    /** Refunds a permit, if there is one left to refund. */
    @Operation(nonParallelGroup = "giving back")
    public boolean refund() {
        try {
            return held.refund(1);
        } catch (IllegalArgumentException allRefunded) {
            return false;
        }
    }

    @Operation(nonParallelGroup = "giving back")
    public boolean cancel() {
        return held.cancel();
    }

    @Operation
    public void reset() {
        limiter.reset("a");
    }

    /** The same, one after the other. */
    public static final class Specification {
        private final BookedInstants booked = new BookedInstants(PERMITS, 10);
        private long refundable = HELD;
        private boolean cancelled;
        private boolean reset;

        public Specification() {
            booked.book(0, HELD);
        }

        public String tryAcquire(long permits) {
            return Model.told(booked.admit(0, permits), booked.remaining(0));
        }

        public boolean refund() {
            return !cancelled && refundable > 0 && giveBack(1);
        }

        public boolean cancel() {
            boolean first = !cancelled;
            cancelled = true;
            return first && giveBack(refundable);
        }

        private boolean giveBack(long permits) {
            refundable -= permits;
            if (!reset) {
                booked.giveBack(0, permits);
            }
            return true;
        }

        public void reset() {
            reset = true;
            booked.reset();
        }
    }
}
