package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The manual time source advances only on request, and completes everything that is due. */
class ManualTimeSourceTest {
    private final ManualTimeSource time = new ManualTimeSource(0);

    @Test
    void advance_waitsInOrderOfTheirTimes_eachAtItsOwn() {
        List<String> completed = new ArrayList<>();
        long[] waits = {30, 10, 20, 10};
        for (int i = 0; i < waits.length; i++) {
            int wait = i;
            var unused = time.after(waits[i]).thenRun(() -> completed.add(wait + " at " + time.nanos()));
        }
        assertThat(time.waiting()).isEqualTo(4);
        time.advanceNanos(25);

        assertThat(completed).containsExactly("1 at 10", "3 at 10", "2 at 20");
        assertThat(time.nanos()).isEqualTo(25);
        assertThat(time.waiting()).isEqualTo(1);
    }

    @Test
    void advance_waitsThatStartWhileAdvancing_completeTooIfDue() {
        CompletableFuture<Long> second =
                time.after(10).thenCompose(passed -> time.after(10)).thenApply(passed -> time.nanos());
        time.advanceNanos(100);

        assertThat(second).isCompletedWithValue(20L);
    }

    @Test
    void advance_blockingAcquire_isReleased() throws Exception {
        RateLimiter limiter =
                RateLimiter.builder().limit("1/1s").timeSource(time).build();
        limiter.tryAcquire("key");
        FutureTask<Decision> waiting = new FutureTask<>(() -> limiter.acquire("key", Duration.ofMinutes(1)));
        new Thread(waiting).start();
        while (time.waiting() == 0) {
            Thread.onSpinWait();
        }
        time.advance(Duration.ofSeconds(1));

        assertThat(waiting.get(60, TimeUnit.SECONDS).allowed()).isTrue();
    }

    @Test
    void advance_negativeBeyondNanoseconds_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> time.advance(Duration.ofSeconds(Long.MIN_VALUE)))
                .withMessageStartingWith("duration must not be negative");
    }

    @Test
    void advance_cancelledWait_isRemoved() {
        assertThat(time.after(10).cancel(false)).isTrue();
        assertThat(time.waiting()).isZero();
        time.advanceNanos(10);
    }

    /** A simulation may cancel millions of long waits. */
    @Test
    void cancelledWait_isNotKept() {
        CompletableFuture<Void> wait = time.after(10);
        WeakReference<CompletableFuture<Void>> kept = new WeakReference<>(wait);
        wait.cancel(false);
        wait = null;

        for (int i = 0; i < 20 && !kept.refersTo(null); i++) {
            System.gc();
        }
        assertThat(kept.refersTo(null)).isTrue();
    }

    @Test
    void advance_backwardsOrTooFar_isRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> time.advance(Duration.ofNanos(-1)));
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> new ManualTimeSource(Long.MAX_VALUE).advanceNanos(1));
        assertThat(time.nanos()).isZero();
    }

    @Test
    void advance_twoThreads_losesNothing() throws Exception {
        ManualTimeSource shared = new ManualTimeSource(0);
        Runnable task = () -> {
            for (int i = 0; i < 100_000; i++) {
                shared.advanceNanos(1);
            }
        };
        Thread one = new Thread(task);
        Thread two = new Thread(task);
        one.start();
        two.start();
        one.join();
        two.join();

        assertThat(shared.nanos()).isEqualTo(200_000);
    }
}
