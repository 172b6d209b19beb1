package dev.weir.stress.races;

import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import dev.weir.store.WhenFull;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Two threads request two new keys of a store that has room for one byte of key text. One is denied, and leaves no trace in the count: once the other key is idle, a third one gets its room. */
@JCStressTest
@State
@Outcome(
        id = {"true, false, true", "false, true, true"},
        expect = Expect.ACCEPTABLE,
        desc = "one gets the room, and the next one after it is removed")
@Outcome(expect = Expect.FORBIDDEN, desc = "the bound is exceeded, or room is lost")
public class LastBytesRace {
    private final Stage stage = new Stage(MemoryStore.builder().maxKeyBytes(1).whenFull(WhenFull.DENY));
    private final RateLimiter limiter = stage.limiter(1, 10);

    @Actor
    public void one(ZZZ_Result r) {
        r.r1 = limiter.tryAcquire("a").allowed();
    }

    @Actor
    public void two(ZZZ_Result r) {
        r.r2 = limiter.tryAcquire("b").allowed();
    }

    @Arbiter
    public void after(ZZZ_Result r) {
        stage.setTime(10);
        r.r3 = limiter.tryAcquire("c").allowed();
    }
}
