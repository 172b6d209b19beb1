package dev.weir.stress.models;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.LongGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * One key, whose clock goes on meanwhile. A decision whose reading was overtaken by the clock counts as made just before
 * the clock went on, unless the key has seen a later time; then as made at that. So all decisions of one instant come
 * before the clock's step and all of the next after it, in the order of the key's lock, and the whole is linearizable.
 * With give-backs it would not be: one may come after the step and let in a decision from before it.
 */
@Param(name = "permits", gen = LongGen.class, conf = "1:2")
@Param(name = "ticks", gen = LongGen.class, conf = "1:3")
@Scenario(one = "tryAcquire 2", two = "tryAcquire 1; tryAcquire 1", after = "tryAcquire 1")
@Scenario(
        before = "tryAcquire 2",
        one = "advance 3; tryAcquire 1",
        two = "tryAcquire 1",
        after = "tryAcquire 1; tryAcquire 1")
@Scenario(
        before = "tryAcquire 1; advance 1; tryAcquire 1",
        one = "advance 2; tryAcquire 1",
        two = "tryAcquire 1",
        after = "advance 1; tryAcquire 2")
public class AdmittingModel {
    private static final long PERMITS = 2;
    private static final long WINDOW = 3;

    private final AtomicLong time = new AtomicLong();
    private final RateLimiter limiter = Model.limiter(PERMITS, WINDOW, time::get);

    public AdmittingModel() {
        Decision unused = limiter.tryAcquire("a", PERMITS);
        time.set(WINDOW);
    }

    @Operation
    public String tryAcquire(@Param(name = "permits") long permits) {
        Decision decision = limiter.tryAcquire("a", permits);
        return Model.told(decision.allowed(), decision.remaining());
    }

    @Operation
    public void advance(@Param(name = "ticks") long ticks) {
        time.addAndGet(ticks);
    }

    /** The same, one after the other. */
    public static final class Specification {
        private long time = WINDOW;
        private final BookedInstants booked = new BookedInstants(PERMITS, WINDOW);

        public String tryAcquire(long permits) {
            return Model.told(booked.admit(time, permits), booked.remaining(time));
        }

        public void advance(long ticks) {
            time += ticks;
        }
    }
}
