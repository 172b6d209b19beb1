package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** A key is idle. A new key's arrival has the sweeper let it go while another asks for it: what is booked counts. */
@JCStressTest
@State
@Outcome(id = "true, true, 0", expect = Expect.ACCEPTABLE, desc = "booked")
@Outcome(expect = Expect.FORBIDDEN, desc = "denied, or the booking lost")
public class SweptKeyRace {
    private final Stage stage = new Stage();
    private final RateLimiter limiter = stage.limiter(1, 10);

    public SweptKeyRace() {
        Stage.take(limiter, "a");
        stage.setTime(10);
    }

    @Actor
    public void one(ZZJ_Result r) {
        r.r1 = limiter.tryAcquire("b").allowed();
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
