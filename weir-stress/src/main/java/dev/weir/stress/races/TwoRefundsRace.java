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

/** Two refund one permit each of a reservation of two, beside two others of the same instant, and then a third asks for more: two are back. */
@JCStressTest
@State
@Outcome(id = "true, true, 2", expect = Expect.ACCEPTABLE, desc = "both given back")
@Outcome(expect = Expect.FORBIDDEN, desc = "a permit is back twice, or not at all")
public class TwoRefundsRace {
    private final RateLimiter limiter = new Stage().limiter(4, 10);
    private final Reservation held = Stage.reserve(limiter, "a", 2);

    public TwoRefundsRace() {
        Stage.take(limiter, "a", 2);
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = held.refund(1);
    }

    @Actor
    public void two(ZZJ_Result r) {
        r.r2 = held.refund(1);
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        held.cancel(); // gives back what is left, which is nothing
        r.r3 = limiter.peek("a").remaining();
    }
}
