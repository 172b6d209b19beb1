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

/** A key is blocked while another asks. Once the block is told, all are denied; a block takes no permit. */
@JCStressTest
@State
@Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "admitted before the block was told")
@Outcome(
        id = {"false, false, 2", "true, false, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "denied")
@Outcome(expect = Expect.FORBIDDEN, desc = "admitted although blocked, or a permit taken by the block")
public class BlockRace {
    private final Stage stage = new Stage();
    private final RateLimiter limiter = stage.limiter(3, 100);
    private volatile boolean told;

    public BlockRace() {
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(ZZJ_Result r) {
        limiter.block("a", Duration.ofNanos(10));
        told = true;
    }

    @Actor
    public void two(ZZJ_Result r) {
        r.r1 = told;
        r.r2 = limiter.tryAcquire("a").allowed();
    }

    @Arbiter
    public void left(ZZJ_Result r) {
        stage.setTime(10);
        r.r3 = limiter.peek("a").remaining();
    }
}
