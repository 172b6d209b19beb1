package dev.weir.stress.races;

import dev.weir.RateLimiter;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJZ_Result;

/** Who knows that the key is blocked is denied until the block ends, although a denial from before would end sooner. */
@JCStressTest
@State
@Outcome(
        id = {"false, 10, false", "false, 20, false", "true, 20, false"},
        expect = Expect.ACCEPTABLE,
        desc = "denied")
@Outcome(expect = Expect.FORBIDDEN, desc = "the block does not count")
public class DenialBlockRace {
    private final Stage stage = new Stage();
    private final RateLimiter limiter = stage.limiter(1, 10);
    private volatile boolean told;

    public DenialBlockRace() {
        Stage.take(limiter, "a");
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(ZJZ_Result r) {
        limiter.block("a", Duration.ofNanos(20));
        told = true;
    }

    @Actor
    public void two(ZJZ_Result r) {
        r.r1 = told;
        r.r2 = limiter.tryAcquire("a").retryAfterNanos();
    }

    @Arbiter
    public void after(ZJZ_Result r) {
        stage.setTime(15);
        r.r3 = limiter.tryAcquire("a").allowed();
    }
}
