package dev.weir.stress.races;

import dev.weir.RateLimiter;
import dev.weir.Reservation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A denial is about to stand while its permit is given back: whoever asks after both is admitted, unless that was it already. */
@JCStressTest
@State
@Outcome(id = "true, true, false", expect = Expect.ACCEPTABLE, desc = "admitted after the cancel")
@Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "denied before the cancel")
@Outcome(expect = Expect.FORBIDDEN, desc = "the permit is lost, or there twice")
public class LateDenialRace {
    private final RateLimiter limiter = new Stage().limiter(1, 10);
    private final Reservation held = Stage.reserve(limiter, "a", 1);

    @Actor
    public void one(ZZZ_Result r) {
        r.r1 = held.cancel();
    }

    @Actor
    public void two(ZZZ_Result r) {
        r.r2 = limiter.tryAcquire("a").allowed();
    }

    @Arbiter
    public void after(ZZZ_Result r) {
        r.r3 = limiter.tryAcquire("a").allowed();
    }
}
