package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is held of a key, and until when. */
final class OutboundHoldsTest extends OutboundFixture {
    private final AtomicInteger all = new AtomicInteger();
    private final AtomicInteger empty = new AtomicInteger();
    private final RateLimiter limiter = limiter("100/1h");
    private final OutboundHolds holds = new OutboundHolds(time, all, empty::incrementAndGet);
    private long start;

    @BeforeEach
    void begin() {
        start = time.nanos();
    }

    private void hold(long permits, long seconds) {
        holds.add(limiter.reserve(KEY, permits, Duration.ZERO), permits, at(seconds));
    }

    private long at(long seconds) {
        return start + Duration.ofSeconds(seconds).toNanos();
    }

    private long held() {
        return 100 - limiter.peek(KEY).remaining();
    }

    @Test
    void hold_atItsEnd_isReleased() {
        hold(3, 10);
        hold(4, 20);
        assertThat(held()).isEqualTo(7);

        time.advance(Duration.ofSeconds(10));
        assertThat(held()).isEqualTo(4);
        assertThat(holds.isEmpty()).isFalse();
        assertThat(empty).hasValue(0);

        time.advance(Duration.ofSeconds(10));
        assertThat(held()).isZero();
        assertThat(holds.isEmpty()).isTrue();
        assertThat(all).hasValue(0);
        assertThat(empty).as("notified once").hasValue(1);
    }

    /** A release notifies listeners, which must not run on the thread of the timers. */
    @Test
    void hold_atItsEnd_isReleasedOnTheExecutor() {
        Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        OutboundHolds queued = new OutboundHolds(new TimeOn(tasks::add), all, empty::incrementAndGet);
        queued.add(limiter.reserve(KEY, 3, Duration.ZERO), 3, at(10));

        time.advance(Duration.ofSeconds(10));
        assertThat(held()).isEqualTo(3);

        tasks.remove().run();
        assertThat(held()).isZero();
    }

    /** The time of the test, with another executor. */
    private final class TimeOn implements TimeSource {
        private final Executor executor;

        TimeOn(Executor executor) {
            this.executor = executor;
        }

        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public CompletableFuture<Void> after(long nanos) {
            return time.after(nanos);
        }

        @Override
        public Executor executor() {
            return executor;
        }
    }

    /** The hold that ends last before the instant is extended first: what ends soon is released soon. */
    @Test
    void releaseAtMost_extendsTheLatestOnes() {
        hold(3, 10);
        hold(4, 20);
        hold(5, 15);

        holds.releaseAtMost(6, at(30));

        time.advance(Duration.ofSeconds(10));
        assertThat(held()).isEqualTo(9);
        time.advance(Duration.ofSeconds(19));
        assertThat(held()).isEqualTo(9);
        time.advance(Duration.ofSeconds(1));
        assertThat(held()).isZero();
    }

    @Test
    void releaseAtMost_exactly_leavesTheOthers() {
        hold(3, 10);
        hold(4, 20);

        holds.releaseAtMost(3, at(30));

        time.advance(Duration.ofSeconds(10));
        assertThat(held()).isEqualTo(4);
        time.advance(Duration.ofSeconds(20));
        assertThat(held()).isZero();
    }

    @Test
    void releaseAtMost_holdThatEndsThen_doesNotCount() {
        hold(3, 30);
        hold(4, 20);

        holds.releaseAtMost(1, at(30));

        time.advance(Duration.ofSeconds(29));
        assertThat(held()).isEqualTo(7);
    }

    @Test
    void releaseAtMost_shortensNone() {
        hold(3, 10);
        hold(4, 20);

        holds.releaseAtMost(2, at(15));

        time.advance(Duration.ofSeconds(15));
        assertThat(held()).isEqualTo(4);
    }

    @Test
    void releaseAtMost_whileAHoldEnds_isExtendedOrReleased() {
        for (int i = 0; i < 2_000; i++) {
            long end = time.nanos() + 10;
            holds.add(limiter.reserve(KEY, 1, Duration.ZERO), 1, end);
            CompletableFuture<Void> passing = CompletableFuture.runAsync(() -> time.advanceNanos(10));
            boolean extended;
            synchronized (holds) {
                extended = !holds.isEmpty();
                holds.releaseAtMost(0, end + 10);
            }
            passing.join();

            assertThat(holds.isEmpty()).as("call %d", i).isEqualTo(!extended);
            time.advanceNanos(10);
        }
    }

    @Test
    void hasRoom_isBoundedForAKeyAndForAllKeys() {
        all.set(4 * OutboundHolds.MOST - 1);
        assertThat(holds.hasRoom()).isTrue();

        hold(1, 10);

        assertThat(holds.hasRoom()).isFalse();
    }
}
