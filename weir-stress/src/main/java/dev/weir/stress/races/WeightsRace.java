package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Two ask for two permits each, and three are there: one passes. */
@JCStressTest
@State
@Outcome(
        id = {"true, false, 1", "false, true, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "one passes")
@Outcome(expect = Expect.FORBIDDEN, desc = "none passes, or both")
public class WeightsRace {
    private final RateLimiter limiter = new Stage().limiter(4, 10);

    public WeightsRace() {
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = limiter.tryAcquire("a", 2).allowed();
    }

    @Actor
    public void two(ZZJ_Result r) {
        r.r2 = limiter.tryAcquire("a", 2).allowed();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        r.r3 = limiter.peek("a").remaining();
    }
}
