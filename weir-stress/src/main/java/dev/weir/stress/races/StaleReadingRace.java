package dev.weir.stress.races;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJJ_Result;

/**
 * A key's window ends, and a new key's arrival has the sweeper let it go, while another asks for it, maybe with a reading
 * from before. Whoever is admitted is booked after the end: at the old instant the only permit was used.
 */
@JCStressTest
@State
@Outcome(id = "true, 10, 0", expect = Expect.ACCEPTABLE, desc = "booked after the end")
@Outcome(id = "false, 0, 1", expect = Expect.ACCEPTABLE, desc = "denied before the end")
@Outcome(expect = Expect.FORBIDDEN, desc = "booked in a window that was full")
public class StaleReadingRace {
    private static final ThreadLocal<Long> READING = ThreadLocal.withInitial(() -> 0L);
    private static final long WINDOW = 10;
    private static final int DAWDLING = 20; // turns between reading the clock and asking

    private volatile long time;
    private final RateLimiter limiter = RateLimiter.builder()
            .limit(Limit.slidingLog(1, Duration.ofNanos(WINDOW)))
            .store(MemoryStore.builder().clock(this::read).build())
            .build();

    public StaleReadingRace() {
        limiter.tryAcquire("a");
    }

    private long read() {
        long reading = time;
        READING.set(reading);
        for (int i = 0; i < DAWDLING; i++) {
            Thread.onSpinWait();
        }
        return reading;
    }

    @Actor
    public void one(ZJJ_Result r) {
        time = WINDOW;
        limiter.tryAcquire("b");
    }

    @Actor
    public void two(ZJJ_Result r) {
        Decision decision = limiter.tryAcquire("a");
        r.r1 = decision.allowed();
        r.r2 = decision.allowed() ? READING.get() + decision.resetAfterNanos() - WINDOW : 0;
    }

    @Arbiter
    public void left(ZJJ_Result r) {
        r.r3 = limiter.peek("a").remaining();
    }
}
