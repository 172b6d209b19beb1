package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** A key is reset while another asks for its only permit, which is taken. */
@JCStressTest
@State
@Outcome(id = "true, true, 0", expect = Expect.ACCEPTABLE, desc = "after the reset")
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "before the reset")
@Outcome(expect = Expect.FORBIDDEN, desc = "a booking is lost, or kept")
public class ResetRace {
    private final RateLimiter limiter = new Stage().limiter(1, 10);

    public ResetRace() {
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(ZZJ_Result r) {
        limiter.reset("a");
        r.r1 = true;
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
