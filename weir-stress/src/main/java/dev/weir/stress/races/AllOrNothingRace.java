package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** One asks for two keys of which the second is full; another asks for the first alone, and is not denied for it. */
@JCStressTest
@State
@Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "all or nothing")
@Outcome(expect = Expect.FORBIDDEN, desc = "a part was taken, if only for a moment")
public class AllOrNothingRace {
    private final RateLimiter limiter = new Stage().limiter(1, 10);

    public AllOrNothingRace() {
        Stage.take(limiter, "full");
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = RateLimiter.tryAcquireAll(limiter.request("a", 1), limiter.request("full", 1))
                .allowed();
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
