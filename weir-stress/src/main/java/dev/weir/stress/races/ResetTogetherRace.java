package dev.weir.stress.races;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** One resets a key and then takes a permit of another; a second one asks for both together. If it came after the other permit was taken, then also after the reset: what it books of the first key counts. */
@JCStressTest
@State
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the joint booking after all")
@Outcome(
        id = {"0, 1", "0, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "the joint booking before the other permit, before or after the reset")
@Outcome(expect = Expect.FORBIDDEN, desc = "booked in a state that has gone")
public class ResetTogetherRace {
    private final RateLimiter limiter = new Stage().limiter(2, 10);

    public ResetTogetherRace() {
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(JJ_Result r) {
        limiter.reset("a");
        r.r1 = limiter.tryAcquire("b").remaining();
    }

    @Actor
    public void two(JJ_Result r) {
        Decision unused = RateLimiter.tryAcquireAll(limiter.request("a", 1), limiter.request("b", 1));
    }

    @Arbiter
    public void left(JJ_Result r) {
        r.r2 = limiter.peek("a").remaining();
    }
}
