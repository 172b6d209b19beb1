package dev.weir.stress.races;

import dev.weir.RateLimiter;
import dev.weir.Reservation;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.datastructures.LongGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * One key at one instant: requests, a reservation that is refunded and cancelled, and resets. A refund after a reset has no effect.
 *
 * <p>Only one thread refunds: a second one may see that the reservation is cancelled a moment before its permits are back. The races
 * {@code TwoCancels}, {@code TwoRefunds} and {@code RefundCancel} have two.
 */
@Param(name = "permits", gen = LongGen.class, conf = "1:2")
public class RefundModel {
    static final List<String> SCENARIOS = List.of(
            "| cancel | acquire 2; acquire 2 | acquire 1",
            "acquire 1 | reset; acquire 2 | cancel; acquire 2 | acquire 1",
            "| refund; acquire 1 | acquire 1; acquire 1 | cancel; acquire 2",
            "acquire 2 | cancel | acquire 1; acquire 1 | acquire 1; acquire 2");
    private static final long PERMITS = 4;
    private static final long HELD = 2;

    private final RateLimiter limiter = Model.limiter(PERMITS, 10, () -> 0);
    private final Reservation held = limiter.reserve("a", HELD, Duration.ZERO);

    @Operation
    public String acquire(@Param(name = "permits") long permits) {
        return Model.text(limiter.tryAcquire("a", permits));
    }

    /** Refunds a permit, if there is one left to refund. */
    @Operation(nonParallelGroup = "refunds")
    public boolean refund() {
        try {
            return held.refund(1);
        } catch (IllegalArgumentException allRefunded) {
            return false;
        }
    }

    @Operation(nonParallelGroup = "refunds")
    public boolean cancel() {
        return held.cancel();
    }

    @Operation
    public void reset() {
        limiter.reset("a");
    }

    /** The same, one after the other. */
    public static final class Specification {
        private final GrantedPermits granted = new GrantedPermits(PERMITS, 10);
        private long refundable = HELD;
        private boolean cancelled;
        private boolean reset;

        public Specification() {
            granted.grant(0, HELD);
        }

        public String acquire(long permits) {
            return Model.text(granted.acquire(0, permits), granted.remaining(0));
        }

        public boolean refund() {
            return !cancelled && refundable > 0 && refund(1);
        }

        public boolean cancel() {
            boolean first = !cancelled;
            cancelled = true;
            return first && refund(refundable);
        }

        private boolean refund(long permits) {
            refundable -= permits;
            if (!reset) {
                granted.refund(0, permits);
            }
            return true;
        }

        public void reset() {
            reset = true;
            granted.reset();
        }
    }
}
