package dev.weir.stress.races;

import dev.weir.RateLimiter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.LongGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * Three keys, each of which lets the store remove idle ones when it is new. Whatever is removed and returns, each key keeps its
 * limit. The time advances as in {@link AcquireModel}, by a window, which is long enough for keys to be removed.
 */
@Param(name = "key", gen = LongGen.class, conf = "0:2")
public class RemovalModel {
    static final List<String> SCENARIOS = List.of(
            "acquire 0; advance | acquire 1 | acquire 0 | acquire 0",
            "acquire 0; acquire 1; advance | acquire 2 | acquire 0; acquire 2 | acquire 0; acquire 1",
            "acquire 0; acquire 1 | acquire 2 | acquire 2 | advance; acquire 2");
    private static final long WINDOW = 2_000_000_000; // a key that is not used for 1 s may be removed

    private final AtomicLong time = new AtomicLong();
    private final RateLimiter limiter = Model.limiter(1, WINDOW, time::get);

    /** Creates the state of one key. */
    public RemovalModel() {
        acquire(0);
        time.set(WINDOW);
    }

    @Operation
    public final String acquire(@Param(name = "key") long key) {
        return Model.text(limiter.tryAcquire("key" + key));
    }

    @Operation
    public void advance() {
        time.addAndGet(WINDOW);
    }

    /** The same, one after the other. */
    public static final class Specification {
        private long time = WINDOW;
        private final Map<Long, GrantedPermits> granted = new HashMap<>();

        public String acquire(long key) {
            GrantedPermits ofKey = granted.computeIfAbsent(key, k -> new GrantedPermits(1, WINDOW));
            return Model.text(ofKey.acquire(time, 1), ofKey.remaining(time));
        }

        public void advance() {
            time += WINDOW;
        }
    }
}
