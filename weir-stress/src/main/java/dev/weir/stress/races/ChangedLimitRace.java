package dev.weir.stress.races;

import dev.weir.Limits;
import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** The limit is widened while another asks. What is booked under either counts under both. */
@JCStressTest
@State
@Outcome(id = "true, true, 0", expect = Expect.ACCEPTABLE, desc = "after the change")
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "before the change")
@Outcome(expect = Expect.FORBIDDEN, desc = "a booking is lost, or counted twice")
public class ChangedLimitRace {
    private final RateLimiter limiter = new Stage().limiter(1, 10);

    public ChangedLimitRace() {
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(ZZJ_Result r) {
        limiter.changeLimits(Limits.of(Stage.log(3, 20)));
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
