package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class EventQueueTest {
    private static final int HALF = 8_192;

    private final EventQueue queue = new EventQueue();
    private final AtomicInteger calls = new AtomicInteger();

    private void offer(int events) {
        for (int i = 0; i < events; i++) {
            assertThat(queue.offer(lists -> {})).isTrue();
        }
    }

    @Test
    void offer_halfIsFilled_isCalled() {
        queue.onHalfFull(calls::incrementAndGet);
        offer(HALF - 1);
        assertThat(calls).hasValue(0);

        offer(1);

        assertThat(calls).hasPositiveValue();
    }

    /** As many events arrive meanwhile as are read, so that at the end more than half of the queue is filled again. */
    @Test
    void offer_whileItIsDrained_isCalledAgain() {
        queue.onHalfFull(calls::incrementAndGet);
        for (int i = 0; i < HALF + 10; i++) {
            queue.offer(lists -> offer(1));
        }
        calls.set(0);

        queue.drainTo(new KeyLists());
        offer(1);

        assertThat(calls).hasPositiveValue();
    }

    @Test
    void offer_full_isDroppedUntilTheQueueIsRead() {
        AtomicInteger added = new AtomicInteger();
        for (int i = 0; i < 2 * HALF; i++) {
            assertThat(queue.offer(lists -> added.incrementAndGet())).isTrue();
        }
        assertThat(queue.offer(lists -> added.incrementAndGet())).isFalse();

        queue.drainTo(new KeyLists());

        assertThat(added).hasValue(2 * HALF);
        offer(1);
    }
}
