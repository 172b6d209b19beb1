package dev.weir.stress.races;

import dev.weir.RateLimiter;
import dev.weir.Reservation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** One permit of three is refunded while the reservation is cancelled, beside three others of the same instant: three are back. */
@JCStressTest
@State
@Outcome(
        id = {"true, true, 3", "false, true, 3"},
        expect = Expect.ACCEPTABLE,
        desc = "given back once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a permit is back twice, or not at all")
public class RefundCancelRace {
    private final RateLimiter limiter = new Stage().limiter(6, 10);
    private final Reservation held = Stage.reserve(limiter, "a", 3);

    public RefundCancelRace() {
        Stage.take(limiter, "a", 3);
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = held.refund(1);
    }

    @Actor
    public void two(ZZJ_Result r) {
        r.r2 = held.cancel();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        r.r3 = limiter.peek("a").remaining();
    }
}
