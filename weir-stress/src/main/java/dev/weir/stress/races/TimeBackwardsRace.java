package dev.weir.stress.races;

import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * The time source goes backwards while two threads request different keys. The time of the store is the maximum of all
 * readings: no decision is made at an earlier time than one that was made before, so nothing is admitted early.
 */
@JCStressTest
@State
@Outcome(
        id = {"20, 20, 20", "20, 10, 20"},
        expect = Expect.ACCEPTABLE,
        desc = "the time does not decrease")
@Outcome(expect = Expect.FORBIDDEN, desc = "the time of the store goes backwards")
public class TimeBackwardsRace {
    private static final ThreadLocal<Long> READING = ThreadLocal.withInitial(() -> 0L);

    private final RateLimiter limiter = RateLimiter.builder()
            .name("race")
            .limit(Stage.log(1, Duration.ofDays(1).toNanos()))
            .store(MemoryStore.builder().timeSource(READING::get).build())
            .build();

    public TimeBackwardsRace() {
        READING.set(0L);
        Stage.take(limiter, "a");
    }

    @Actor
    public void one(JJJ_Result r) {
        READING.set(20L);
        r.r1 = limiter.tryAcquire("b").timeNanos();
    }

    @Actor
    public void two(JJJ_Result r) {
        READING.set(10L);
        r.r2 = limiter.tryAcquire("c").timeNanos();
    }

    @Arbiter
    public void after(JJJ_Result r) {
        READING.set(0L);
        r.r3 = limiter.tryAcquire("d").timeNanos();
    }
}
