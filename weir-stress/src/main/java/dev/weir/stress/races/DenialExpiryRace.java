package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Who reads a time at which a permit is free again is admitted: a denial from before has ended by then. */
@JCStressTest
@State
@Outcome(
        id = {"false, true, 0", "true, true, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "admitted")
@Outcome(id = "false, false, 1", expect = Expect.ACCEPTABLE, desc = "denied before the window ended")
@Outcome(expect = Expect.FORBIDDEN, desc = "denied after the window ended")
public class DenialExpiryRace {
    private final Stage stage = new Stage();
    private final RateLimiter limiter = stage.limiter(1, 10);
    private volatile boolean ended;

    public DenialExpiryRace() {
        Stage.take(limiter, "a");
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(ZZJ_Result r) {
        stage.setTime(10);
        ended = true;
    }

    @Actor
    public void two(ZZJ_Result r) {
        r.r1 = ended;
        r.r2 = limiter.tryAcquire("a").allowed();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        stage.setTime(10);
        r.r3 = limiter.peek("a").remaining();
    }
}
