package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A stack that ends within a decision, wherever that is, leaves no key locked. */
class StackOverflowTest {
    private static final int KEYS = 60;
    private static final int DEPTHS = 400; // from the end of the stack, at each of which a decision is tried
    private static final long STACK_BYTES = 200_000;
    private static final long PATIENCE_MILLIS = 20_000;

    private final MemoryStore store =
            MemoryStore.builder().timeSource(() -> 0).build(); // no key gets idle and is decided as a new one
    private final Limits limits = Limits.parse("1000000/1s");
    private final AtomicInteger overflows = new AtomicInteger();

    @Test
    void decide_atTheEndOfTheStack_leavesNoKeyLocked() throws InterruptedException {
        for (int i = 0; i < KEYS; i++) {
            String key = "key" + i;
            decide(key);
            run(STACK_BYTES + 16L * i, () -> dive(key));
            run(0, () -> decide(key));
        }
        assertThat(overflows).hasValueGreaterThan(KEYS);
    }

    private void decide(String key) {
        Decision unused = store.decide("test", limits, key, 1);
    }

    private static void run(long stackBytes, Runnable task) throws InterruptedException {
        Thread thread = new Thread(null, task, "stack", stackBytes);
        thread.setDaemon(true);
        thread.start();
        thread.join(PATIENCE_MILLIS);
        assertThat(thread.isAlive()).as("a key is locked").isFalse();
    }

    /** Fills the stack, then decides at each of the last depths. Returns how far the end is away. */
    @SuppressWarnings("InfiniteRecursion") // which is the point
    private int dive(String key) {
        int depth = 0;
        try {
            depth = dive(key) + 1;
        } catch (StackOverflowError end) {
            overflows.incrementAndGet();
        }
        if (depth < DEPTHS) {
            try {
                decide(key);
            } catch (StackOverflowError within) {
                overflows.incrementAndGet();
            }
        }
        return depth;
    }
}
