package dev.weir.stress.races;

import dev.weir.RateLimiter;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A key is idle. A new key's arrival has the sweeper let it go while it is blocked: the block holds. */
@JCStressTest
@State
@Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "blocked")
@Outcome(expect = Expect.FORBIDDEN, desc = "the block is lost")
public class SweptBlockRace {
    private final Stage stage = new Stage();
    private final RateLimiter limiter = stage.limiter(1, 10);

    public SweptBlockRace() {
        Stage.take(limiter, "a");
        stage.setTime(10);
    }

    @Actor
    public void one(ZZZ_Result r) {
        r.r1 = limiter.tryAcquire("b").allowed();
    }

    @Actor
    public void two(ZZZ_Result r) {
        limiter.block("a", Duration.ofNanos(10));
        r.r2 = limiter.tryAcquire("a").allowed();
    }

    @Arbiter
    public void after(ZZZ_Result r) {
        r.r3 = limiter.tryAcquire("a").allowed();
    }
}
