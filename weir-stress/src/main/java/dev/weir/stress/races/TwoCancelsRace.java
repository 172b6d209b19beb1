package dev.weir.stress.races;

import dev.weir.RateLimiter;
import dev.weir.Reservation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Two cancel one reservation of two permits, beside two others of the same instant: one does, and two permits are back. */
@JCStressTest
@State
@Outcome(
        id = {"true, false, 2", "false, true, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "given back once")
@Outcome(expect = Expect.FORBIDDEN, desc = "given back twice, or not at all")
public class TwoCancelsRace {
    private final RateLimiter limiter = new Stage().limiter(4, 10);
    private final Reservation held = Stage.reserve(limiter, "a", 2);

    public TwoCancelsRace() {
        Stage.take(limiter, "a", 2);
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = held.cancel();
    }

    @Actor
    public void two(ZZJ_Result r) {
        r.r2 = held.cancel();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        r.r3 = limiter.peek("a").remaining();
    }
}
