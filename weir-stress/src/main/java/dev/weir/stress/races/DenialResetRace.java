package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Who knows that the key was reset is admitted: a denial from before does not stand. */
@JCStressTest
@State
@Outcome(
        id = {"false, true, 0", "true, true, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "admitted")
@Outcome(id = "false, false, 1", expect = Expect.ACCEPTABLE, desc = "denied before the reset was told")
@Outcome(expect = Expect.FORBIDDEN, desc = "denied after the reset was told")
public class DenialResetRace {
    private final RateLimiter limiter = new Stage().limiter(1, 10);
    private volatile boolean told;

    public DenialResetRace() {
        Stage.take(limiter, "a");
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(ZZJ_Result r) {
        limiter.reset("a");
        told = true;
    }

    @Actor
    public void two(ZZJ_Result r) {
        r.r1 = told;
        r.r2 = limiter.tryAcquire("a").allowed();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        r.r3 = limiter.peek("a").remaining();
    }
}
