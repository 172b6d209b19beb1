package dev.weir.stress.races;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.datastructures.LongGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * One key at one instant: pending reservations, each at the earliest instant that fits and delays no earlier one, and one that is
 * cancelled.
 */
@Param(name = "permits", gen = LongGen.class, conf = "1:2")
public class ReservationModel {
    static final List<String> SCENARIOS =
            List.of("| reserve 1; reserve 1 | reserve 2 | acquire 1", "| cancel; reserve 1 | reserve 1 | reserve 1");
    private static final long PERMITS = 2;
    private static final long WINDOW = 10;
    private static final Duration ONE_DAY = Duration.ofDays(1);

    private final RateLimiter limiter = Model.limiter(PERMITS, WINDOW, () -> 0);
    private final Reservation pending;

    /** Uses up the limit and reserves one permit. */
    public ReservationModel() {
        acquire(PERMITS);
        pending = limiter.reserve("a", 1, ONE_DAY);
    }

    @Operation
    public long reserve(@Param(name = "permits") long permits) {
        return limiter.reserve("a", permits, ONE_DAY).decision().waitNanos();
    }

    @Operation
    public final String acquire(@Param(name = "permits") long permits) {
        Decision decision = limiter.tryAcquire("a", permits);
        return Model.text(decision.allowed(), decision.retryAfterNanos());
    }

    @Operation(runOnce = true)
    public boolean cancel() {
        return pending.cancel();
    }

    /** The same, one after the other. */
    public static final class Specification {
        private final GrantedPermits granted = new GrantedPermits(PERMITS, WINDOW);

        public Specification() {
            granted.grant(0, PERMITS);
            granted.grant(WINDOW, 1);
        }

        public long reserve(long permits) {
            long turn = granted.earliest(0, permits);
            granted.grant(turn, permits);
            return turn;
        }

        public String acquire(long permits) {
            boolean allowed = granted.acquire(0, permits);
            return Model.text(allowed, allowed ? 0 : granted.earliest(0, permits));
        }

        public boolean cancel() {
            granted.refund(WINDOW, 1);
            return true;
        }
    }
}
