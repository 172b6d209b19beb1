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

/** A permit is refunded while another is admitted, beside a third booking of the same instant. */
@JCStressTest
@State
@Outcome(id = "true, true, 1", expect = Expect.ACCEPTABLE, desc = "both took effect")
@Outcome(expect = Expect.FORBIDDEN, desc = "a permit is lost, or there twice")
public class RefundRace {
    private final RateLimiter limiter = new Stage().limiter(4, 10);
    private final Reservation held = Stage.reserve(limiter, "a", 2);

    public RefundRace() {
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = held.refund(1);
    }

    @Actor
    public void two(ZZJ_Result r) {
        r.r2 = limiter.tryAcquire("a").allowed();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        r.r3 = limiter.peek("a").remaining();
    }
}
