package dev.weir.stress.races;

import dev.weir.RateLimiter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.LongGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * Requests for one key while the time advances. A decision whose reading was overtaken by the clock counts as made just before the
 * clock advanced, unless the key has seen a later time; then as made at that. So all decisions of one instant come before the step
 * of the clock and all of the next after it, in the order of the key's lock, and the whole is linearizable. With refunds it would
 * not be: a refund after the step may admit a request from before it.
 */
@Param(name = "permits", gen = LongGen.class, conf = "1:2")
@Param(name = "nanos", gen = LongGen.class, conf = "1:3")
public class AcquireModel {
    static final List<String> SCENARIOS = List.of(
            "| acquire 2 | acquire 1; acquire 1 | acquire 1",
            "acquire 2 | advance 3; acquire 1 | acquire 1 | acquire 1; acquire 1",
            "acquire 1; advance 1; acquire 1 | advance 2; acquire 1 | acquire 1 | advance 1; acquire 2");
    private static final long PERMITS = 2;
    private static final long WINDOW = 3;

    private final AtomicLong time = new AtomicLong();
    private final RateLimiter limiter = Model.limiter(PERMITS, WINDOW, time::get);

    /** Creates the state of the key. */
    public AcquireModel() {
        acquire(PERMITS);
        time.set(WINDOW);
    }

    @Operation
    public final String acquire(@Param(name = "permits") long permits) {
        return Model.text(limiter.tryAcquire("a", permits));
    }

    @Operation
    public void advance(@Param(name = "nanos") long nanos) {
        time.addAndGet(nanos);
    }

    /** The same, one after the other. */
    public static final class Specification {
        private long time = WINDOW;
        private final GrantedPermits granted = new GrantedPermits(PERMITS, WINDOW);

        public String acquire(long permits) {
            return Model.text(granted.acquire(time, permits), granted.remaining(time));
        }

        public void advance(long nanos) {
            time += nanos;
        }
    }
}
