package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A stack that ends within a decision, wherever that is, leaves no key locked, and idle keys are removed. */
class StackOverflowTest {
    private static final int KEYS = 60;
    private static final int DEPTHS = 400; // from the end of the stack, at each of which a decision is tried
    private static final long STACK_BYTES = 200_000;
    private static final long TIMEOUT_MILLIS = 20_000;

    private volatile long
            now; // does not change while threads decide, so that no key gets idle and is decided as a new one
    private final MemoryStore store =
            MemoryStore.builder().timeSource(() -> now).build();
    private final Limits limits = Limits.parse("1000000/1s");
    private final AtomicInteger overflows = new AtomicInteger();

    @Test
    void decide_atTheEndOfTheStack_leavesNoKeyLocked() throws InterruptedException {
        for (int i = 0; i < KEYS; i++) {
            String key = "key" + i;
            decide(key);
            run(STACK_BYTES + 16L * i, () -> dive(() -> decide(key)));
            run(0, () -> decide(key));
        }
        assertThat(overflows).hasValueGreaterThan(KEYS);
    }

    @Test
    void decideNewKeys_atTheEndOfTheStack_doesNotStopTheRemovalOfIdleKeys() throws InterruptedException {
        AtomicInteger keys = new AtomicInteger();
        decide("key"); // initializes the classes
        for (int i = 0; i < KEYS; i++) {
            run(STACK_BYTES + 16L * i, () -> dive(() -> decide("key" + keys.incrementAndGet())));
        }
        now = 10_000_000_000L;
        for (int seconds = 0; seconds < 30; seconds++) {
            store.idleKeyTimer.visitOneSecond();
        }

        assertThat(store.statistics().keys().orElseThrow()).isLessThan(keys.get() / 2); // some may be locked
    }

    private void decide(String key) {
        Decision unused = store.decide("test", limits, key, 1);
    }

    private static void run(long stackBytes, Runnable task) throws InterruptedException {
        Thread thread = new Thread(null, task, "stack", stackBytes);
        thread.setDaemon(true);
        thread.start();
        thread.join(TIMEOUT_MILLIS);
        assertThat(thread.isAlive()).as("a key is locked").isFalse();
    }

    /** Fills the stack, then decides at each of the last depths. Returns the distance to the end. */
    @SuppressWarnings("InfiniteRecursion") // which is the point
    private int dive(Runnable decision) {
        int depth = 0;
        try {
            depth = dive(decision) + 1;
        } catch (StackOverflowError end) {
            overflows.incrementAndGet();
        }
        if (depth < DEPTHS) {
            try {
                decision.run();
            } catch (StackOverflowError within) {
                overflows.incrementAndGet();
            }
        }
        return depth;
    }
}
