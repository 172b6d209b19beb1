package dev.weir.stress.races;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJJ_Result;

/**
 * A key's window ends, and the arrival of a new key makes the sweeper remove it, while another thread requests it, possibly
 * with a reading from before the end. A granted permit is recorded after the end: at the old instant the only one was used.
 */
@JCStressTest
@State
@Outcome(id = "true, 10, 0", expect = Expect.ACCEPTABLE, desc = "recorded after the end")
@Outcome(id = "false, 0, 1", expect = Expect.ACCEPTABLE, desc = "denied before the end")
@Outcome(expect = Expect.FORBIDDEN, desc = "recorded in a window that was full")
public class StaleReadingRace {
    private static final long WINDOW = 10;
    private static final String KEY = "a".repeat(1_000);

    private final Stage stage = new Stage();
    private final RateLimiter limiter = stage.limiter(1, WINDOW);

    /** An equal key whose hash is not known yet: to compute it takes time between the reading and the look-up. */
    private final String slowKey = new String(KEY.toCharArray());

    public StaleReadingRace() {
        Stage.take(limiter, KEY);
    }

    @Actor
    public void one(ZJJ_Result r) {
        stage.setTime(WINDOW);
        Stage.take(limiter, "b");
    }

    @Actor
    public void two(ZJJ_Result r) {
        Decision decision = limiter.tryAcquire(slowKey);
        r.r1 = decision.allowed();
        r.r2 = decision.allowed() ? decision.timeNanos() : 0;
    }

    @Arbiter
    public void left(ZJJ_Result r) {
        r.r3 = limiter.peek(KEY).remaining();
    }
}
