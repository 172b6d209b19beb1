package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Two ask for two permits each of a key with two limits, of which the first has room for one of them: the other takes nothing of the second limit. */
@JCStressTest
@State
@Outcome(
        id = {"true, false, 2", "false, true, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "one passes")
@Outcome(expect = Expect.FORBIDDEN, desc = "none passes, or both, or a limit has not counted")
public class SeveralLimitsRace {
    private final Stage stage = new Stage();
    private final RateLimiter limiter = stage.limiter(Stage.log(3, 10), Stage.log(4, 100));

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
        stage.setTime(10);
        r.r3 = limiter.peek("a").remaining();
    }
}
