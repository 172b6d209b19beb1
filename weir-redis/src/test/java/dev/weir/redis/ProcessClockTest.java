package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The time without pauses, driven by a thread that announces its sleep. */
final class ProcessClockTest {
    private static final long LATE = ProcessClock.LATE_NANOS;

    private long real = -7; // which has any origin
    private Runnable interruption = () -> {};
    private Runnable pauseAfterReading = () -> {};
    private final ProcessClock clock = new ProcessClock(this::real);

    private long real() {
        Runnable once = interruption;
        interruption = () -> {};
        once.run();
        long read = real;
        Runnable pause = pauseAfterReading;
        pauseAfterReading = () -> {};
        pause.run();
        return read;
    }

    @Test
    void awake_countsEachNanosecond() {
        assertThat(clock.nanos()).isZero();
        for (int i = 1; i <= 3; i++) {
            real += LATE;
            clock.sleeping(0);
            assertThat(clock.nanos()).isEqualTo(i * LATE);
        }
    }

    @Test
    void sleeping_countsAsLongAsAnnounced_andALittleMore() {
        clock.sleeping(10 * LATE);
        real += 11 * LATE;
        assertThat(clock.nanos()).isEqualTo(11 * LATE);
        real += 1;
        assertThat(clock.nanos()).isEqualTo(11 * LATE);

        clock.sleeping(LATE);
        real += LATE / 2;
        assertThat(clock.nanos()).isEqualTo(11 * LATE + LATE / 2);
    }

    @Test
    void pause_doesNotCount_thenTimeGoesOn() {
        clock.sleeping(LATE);
        real += 1_000 * LATE;
        assertThat(clock.nanos()).isEqualTo(2 * LATE);
        clock.sleeping(LATE);
        assertThat(clock.nanos()).isEqualTo(2 * LATE);
        real += LATE;
        assertThat(clock.nanos()).isEqualTo(3 * LATE);
    }

    /** The thread is woken before the sleep that it announced is over: a pause begins with the next task. */
    @Test
    void wokenEarly_pauseDoesNotCount() {
        clock.sleeping(1_000 * LATE);
        real += LATE;
        clock.sleeping(0);
        real += 500 * LATE;
        assertThat(clock.nanos()).isEqualTo(2 * LATE);
    }

    @Test
    void held_doesNotCount_untilReleased() {
        clock.hold(10 * LATE);
        real += LATE;
        clock.sleeping(LATE);
        real += LATE;
        assertThat(clock.nanos()).isZero();

        clock.hold(0);
        real += LATE;
        assertThat(clock.nanos()).isEqualTo(LATE);
    }

    /** A pause while time is held does not use up what is held: then there is time left to see why it was. */
    @Test
    void held_countsAfterTheGivenTime_withoutPauses() {
        clock.hold(3 * LATE);
        real += 1_000 * LATE;
        clock.sleeping(LATE);
        assertThat(clock.nanos()).isZero();
        real += 1_000 * LATE;
        clock.sleeping(LATE);
        assertThat(clock.nanos()).isZero();
        real += LATE;
        assertThat(clock.nanos()).isEqualTo(LATE);
    }

    /** Threads read the real time in any order. */
    @Test
    void realTimeReadLate_isNotCountedTwice() {
        real += LATE;
        clock.sleeping(0);
        real -= LATE / 2;
        clock.sleeping(0);
        assertThat(clock.nanos()).isEqualTo(LATE);
        real += LATE;
        assertThat(clock.nanos()).isEqualTo(LATE + LATE / 2);
    }

    /** A thread is paused while it reads this clock, after another one has woken the thread that drives it. */
    @Test
    void pauseWhileItIsRead_doesNotCount_andTimeDoesNotGoBackwards() {
        clock.sleeping(1_000 * LATE);
        interruption = () -> {
            clock.sleeping(0);
            real += 500 * LATE;
        };
        assertThat(clock.nanos()).isEqualTo(LATE);
        assertThat(clock.nanos()).isEqualTo(LATE);
    }

    /** The thread that schedules a task is paused after it has read the real time, while another thread reads this clock. */
    @Test
    void pauseOfTheThreadThatWakes_timeDoesNotGoBackwards() {
        clock.sleeping(1_000 * LATE);
        assertNoReadingGoesBackwardsDuring(() -> clock.sleeping(0));
    }

    @Test
    void pauseOfTheThreadThatHolds_timeDoesNotGoBackwards() {
        clock.sleeping(1_000 * LATE);
        assertNoReadingGoesBackwardsDuring(() -> clock.hold(LATE));
    }

    private void assertNoReadingGoesBackwardsDuring(Runnable change) {
        CompletableFuture<Long> reading = new CompletableFuture<>();
        Thread other = new Thread(() -> reading.complete(clock.nanos()));
        pauseAfterReading = () -> {
            real += 50 * LATE;
            other.start();
            Await.until(
                    "the other thread reads or waits",
                    () -> reading.isDone() || other.getState() == Thread.State.BLOCKED);
        };
        change.run();
        long earlier = reading.join();
        assertThat(clock.nanos()).isGreaterThanOrEqualTo(earlier);
    }

    @Test
    void heldInASleep_itsRestCounts_andNoMore() {
        clock.sleeping(10 * LATE);
        real += 9 * LATE;
        clock.hold(0);
        real += 1_000 * LATE;
        assertThat(clock.nanos()).isEqualTo(11 * LATE);
    }
}
