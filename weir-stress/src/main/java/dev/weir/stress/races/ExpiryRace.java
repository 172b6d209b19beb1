package dev.weir.stress.races;

import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** A window's end passes while two ask, one of them maybe with a reading from before. Both permits are used until then; who is admitted
 * is booked at the new time. */
@JCStressTest
@State
@Outcome(id = "true, true, 0", expect = Expect.ACCEPTABLE, desc = "both after the end")
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "the second before the end")
@Outcome(expect = Expect.FORBIDDEN, desc = "the first denied, or one booked in the past")
public class ExpiryRace {
    private final Stage stage = new Stage();
    private final RateLimiter limiter = stage.limiter(2, 10);

    public ExpiryRace() {
        Stage.take(limiter, "a", 2);
    }

    @Actor
    public void one(ZZJ_Result r) {
        stage.setTime(10);
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
