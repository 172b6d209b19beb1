package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Two ask for the same two keys, in opposite order: one gets both, and nobody waits for ever. */
@JCStressTest
@State
@Outcome(
        id = {"true, false, 0", "false, true, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "one gets both")
@Outcome(expect = Expect.FORBIDDEN, desc = "none, or both, or a part")
public class CrossedKeysRace {
    private final RateLimiter limiter = new Stage().limiter(1, 10);

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = RateLimiter.tryAcquireAll(limiter.request("a", 1), limiter.request("b", 1))
                .allowed();
    }

    @Actor
    public void two(ZZJ_Result r) {
        r.r2 = RateLimiter.tryAcquireAll(limiter.request("b", 1), limiter.request("a", 1))
                .allowed();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        r.r3 = limiter.peek("a").remaining() + limiter.peek("b").remaining();
    }
}
