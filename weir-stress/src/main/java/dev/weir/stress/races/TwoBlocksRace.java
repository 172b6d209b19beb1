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

/** Two blocks at once: the longer one stands. */
@JCStressTest
@State
@Outcome(id = "false, false, 10", expect = Expect.ACCEPTABLE, desc = "the longer one")
@Outcome(expect = Expect.FORBIDDEN, desc = "the shorter one, or none")
public class TwoBlocksRace {
    private final RateLimiter limiter = new Stage().limiter(1, 100);

    public TwoBlocksRace() {
        limiter.block("a", Duration.ofNanos(1));
    }

    @Actor
    public void one(ZZJ_Result r) {
        limiter.block("a", Duration.ofNanos(5));
    }

    @Actor
    public void two(ZZJ_Result r) {
        limiter.block("a", Duration.ofNanos(10));
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        r.r3 = limiter.peek("a").retryAfterNanos();
    }
}
