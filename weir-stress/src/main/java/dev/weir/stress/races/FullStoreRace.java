package dev.weir.stress.races;

import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** A store for one key is full of an idle one. Two ask for the only permit of another key, which gets a state of its own or shares one:
 * it is counted in one place, and one passes. */
@JCStressTest
@State
@Outcome(
        id = {"true, false, 0", "false, true, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "one passes")
@Outcome(expect = Expect.FORBIDDEN, desc = "none passes, or both")
public class FullStoreRace {
    private final Stage stage = new Stage(MemoryStore.builder().maxKeys(1));
    private final RateLimiter limiter = stage.limiter(1, 10);

    public FullStoreRace() {
        Stage.take(limiter, "idle");
        stage.setTime(10);
    }

    @Actor
    public void one(ZZJ_Result r) {
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
