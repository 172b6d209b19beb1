package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** The ring of a log that takes give-backs is full. Two are admitted, one with a weight: it grows, and keeps all in order. */
@JCStressTest
@State
@Outcome(id = "true, true, 5760", expect = Expect.ACCEPTABLE, desc = "all booked")
@Outcome(expect = Expect.FORBIDDEN, desc = "one denied, or a booking lost")
public class GrowingLedgerRace {
    private final Stage stage = new Stage();
    private final RateLimiter limiter = stage.limiter(64, 1_000);

    public GrowingLedgerRace() {
        Stage.reserve(limiter, "a", 1);
        stage.fill(limiter, "a", 3);
        stage.setTime(5);
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = limiter.tryAcquire("a").allowed();
    }

    @Actor
    public void two(ZZJ_Result r) {
        stage.setTime(6);
        r.r2 = limiter.tryAcquire("a", 2).allowed();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        long left = limiter.peek("a").remaining();
        stage.setTime(1_002);
        r.r3 = 100 * left + limiter.peek("a").remaining();
    }
}
