package dev.weir.stress.races;

import dev.weir.RateLimiter;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** A key is unblocked while another thread requests it. Once {@code unblock} has returned, requests are admitted. */
@JCStressTest
@State
@Outcome(
        id = {"false, true, 1", "true, true, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "admitted")
@Outcome(id = "false, false, 2", expect = Expect.ACCEPTABLE, desc = "denied before unblock returned")
@Outcome(expect = Expect.FORBIDDEN, desc = "denied after unblock returned, or a permit is lost")
public class UnblockRace {
    private final RateLimiter limiter = new Stage().limiter(3, 100);
    private volatile boolean unblocked;

    public UnblockRace() {
        Stage.take(limiter, "a");
        limiter.block("a", Duration.ofNanos(50));
    }

    @Actor
    public void one(ZZJ_Result r) {
        limiter.unblock("a");
        unblocked = true;
    }

    @Actor
    public void two(ZZJ_Result r) {
        r.r1 = unblocked;
        r.r2 = limiter.tryAcquire("a").allowed();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        r.r3 = limiter.peek("a").remaining();
    }
}
