package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Two ask for the last permit of a key: one passes. */
@JCStressTest
@State
@Outcome(
        id = {"true, false, 0", "false, true, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "one passes")
@Outcome(expect = Expect.FORBIDDEN, desc = "none passes, or both")
public class LastPermitRace {
    private final RateLimiter limiter = new Stage().limiter(2, 10);

    public LastPermitRace() {
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = limiter.tryAcquire("a").allowed();
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
