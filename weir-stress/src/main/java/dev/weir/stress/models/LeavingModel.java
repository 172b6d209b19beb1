package dev.weir.stress.models;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * Three keys in a store that has room for two. Each arrival has the sweeper let idle keys go; who finds no room is counted
 * in a common state, of which each of the three has another. Whatever leaves and comes back, each key keeps its limit.
 * On the clock as in {@link AdmittingModel}.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:2")
@Scenario(before = "tryAcquire 0; advance", one = "tryAcquire 1", two = "tryAcquire 0", after = "tryAcquire 0")
@Scenario(
        before = "tryAcquire 0; tryAcquire 1; advance",
        one = "tryAcquire 2",
        two = "tryAcquire 0; tryAcquire 2",
        after = "tryAcquire 0; tryAcquire 1")
@Scenario(
        before = "tryAcquire 0; tryAcquire 1",
        one = "tryAcquire 2",
        two = "tryAcquire 2",
        after = "advance; tryAcquire 2")
public class LeavingModel {
    private static final long PERMITS = 1;
    private static final long WINDOW = 2;

    private final AtomicLong time = new AtomicLong();
    private final RateLimiter limiter = Model.limiter(
            PERMITS,
            WINDOW,
            MemoryStore.builder().timeSource(time::get).maxKeys(2).build());

    public LeavingModel() {
        Decision unused = limiter.tryAcquire("key0");
        time.set(WINDOW);
    }

    @Operation
    public String tryAcquire(@Param(name = "key") int key) {
        Decision decision = limiter.tryAcquire("key" + key);
        return Model.told(decision.allowed(), decision.remaining());
    }

    @Operation
    public void advance() {
        time.addAndGet(WINDOW);
    }

    /** The same, one after the other. */
    public static final class Specification {
        private long time = WINDOW;
        private final Map<Integer, BookedInstants> booked = new HashMap<>();

        public String tryAcquire(int key) {
            BookedInstants ofKey = booked.computeIfAbsent(key, k -> new BookedInstants(PERMITS, WINDOW));
            return Model.told(ofKey.admit(time, 1), ofKey.remaining(time));
        }

        public void advance() {
            time += WINDOW;
        }
    }
}
