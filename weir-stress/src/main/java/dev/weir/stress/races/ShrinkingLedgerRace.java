package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Most entries of a log that takes give-backs leave while two are admitted: its ring shrinks, and keeps all in order. */
@JCStressTest
@State
@Outcome(id = "true, true, 6061", expect = Expect.ACCEPTABLE, desc = "all booked")
@Outcome(expect = Expect.FORBIDDEN, desc = "one denied, or a booking lost or kept")
public class ShrinkingLedgerRace {
    private final Stage stage = new Stage();
    private final RateLimiter limiter = stage.limiter(64, 20);

    public ShrinkingLedgerRace() {
        Stage.reserve(limiter, "a", 1);
        stage.fill(limiter, "a", 15);
        stage.setTime(34);
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = limiter.tryAcquire("a").allowed();
    }

    @Actor
    public void two(ZZJ_Result r) {
        stage.setTime(34);
        r.r2 = limiter.tryAcquire("a", 2).allowed();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        long left = limiter.peek("a").remaining();
        stage.setTime(35);
        r.r3 = 100 * left + limiter.peek("a").remaining();
    }
}
