package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Requests under two limits of one name come by turns: the log is handed to and fro, and keeps all that is booked. */
@JCStressTest
@State
@Outcome(id = "true, true, 3", expect = Expect.ACCEPTABLE, desc = "all booked")
@Outcome(expect = Expect.FORBIDDEN, desc = "one denied, or a booking lost")
public class TwoLimitsRace {
    private final Stage stage = new Stage();
    private final RateLimiter narrow = stage.limiter(6, 10);
    private final RateLimiter wide = stage.limiter(8, 20);

    public TwoLimitsRace() {
        Stage.take(narrow, "a");
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = narrow.tryAcquire("a", 2).allowed();
    }

    @Actor
    public void two(ZZJ_Result r) {
        r.r2 = wide.tryAcquire("a", 2).allowed();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        r.r3 = wide.peek("a").remaining();
    }
}
