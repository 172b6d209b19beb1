package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Half of a log's entries leave while two are admitted: its ring begins again at the front, and keeps all in order. */
@JCStressTest
@State
@Outcome(id = "true, true, 5761", expect = Expect.ACCEPTABLE, desc = "all booked")
@Outcome(expect = Expect.FORBIDDEN, desc = "one denied, or a booking lost or kept")
public class WrappingRingRace {
    private final Stage stage = new Stage();
    private final RateLimiter limiter = stage.limiter(64, 20);

    public WrappingRingRace() {
        stage.fill(limiter, "a", 10);
        stage.setTime(25);
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = limiter.tryAcquire("a").allowed();
    }

    @Actor
    public void two(ZZJ_Result r) {
        stage.setTime(26);
        r.r2 = limiter.tryAcquire("a", 2).allowed();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        long left = limiter.peek("a").remaining();
        stage.setTime(30);
        r.r3 = 100 * left + limiter.peek("a").remaining();
    }
}
