package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJJ_Result;

/** Two book two turns each, of a key that lets one pass a window: the turns differ, each caller's in order, and none is lost. */
@JCStressTest
@State
@Outcome(
        id = {
            "10, 20, 30, 40, 50",
            "10, 30, 20, 40, 50",
            "10, 40, 20, 30, 50",
            "20, 30, 10, 40, 50",
            "20, 40, 10, 30, 50",
            "30, 40, 10, 20, 50"
        },
        expect = Expect.ACCEPTABLE,
        desc = "distinct turns in order")
@Outcome(expect = Expect.FORBIDDEN, desc = "a turn given twice or lost, or out of order")
public class TurnsRace {
    private final RateLimiter limiter = new Stage().limiter(1, 10);

    public TurnsRace() {
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(JJJJJ_Result r) {
        r.r1 = turn();
        r.r2 = turn();
    }

    @Actor
    public void two(JJJJJ_Result r) {
        r.r3 = turn();
        r.r4 = turn();
    }

    @Arbiter
    public void left(JJJJJ_Result r) {
        r.r5 = turn();
    }

    private long turn() {
        return limiter.reserve("a", 1, Stage.ANY_WAIT).decision().waitNanos();
    }
}
