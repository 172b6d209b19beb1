package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The thread that runs deadlines. */
final class TimerTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Timer timer = new Timer();
    private final List<String> ran = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        timer.close();
    }

    private BooleanSupplier schedule(String name, long nanos) {
        return timer.schedule(() -> ran.add(name), nanos);
    }

    /** Runs an action on the thread of the timer. If that is paused meanwhile, its time stands still. */
    private void onItsThread(Runnable action) {
        BooleanSupplier unused = timer.schedule(action, 0);
    }

    @Test
    void tasks_runInOrderOfTheirTimes() {
        onItsThread(() -> {
            BooleanSupplier unused = schedule("last", 200 * MILLI);
            unused = schedule("first", 0);
            unused = schedule("second", 100 * MILLI);
        });

        Await.until("all tasks", () -> ran.size() == 3);
        assertThat(ran).containsExactly("first", "second", "last");
    }

    @Test
    void cancelledTask_doesNotRun() {
        CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
        CompletableFuture<BooleanSupplier> other = new CompletableFuture<>();
        onItsThread(() -> {
            cancelled.complete(schedule("cancelled", 100 * MILLI).getAsBoolean());
            other.complete(schedule("other", 200 * MILLI));
        });

        Await.until("the other task", () -> !ran.isEmpty());
        assertThat(ran).containsExactly("other");
        assertThat(cancelled.join()).isTrue();
        assertThat(other.join().getAsBoolean()).isFalse();
    }

    @Test
    void orTimeout_notComplete_fails() {
        CompletableFuture<String> late = timer.orTimeout(new CompletableFuture<>(), MILLI);
        CompletableFuture<String> inTime = timer.orTimeout(CompletableFuture.completedFuture("value"), MILLI);

        assertThat(late).failsWithin(Await.TIMEOUT).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
        assertThat(inTime).isCompletedWithValue("value");
    }

    @Test
    void taskThatThrows_othersRun() {
        BooleanSupplier unused = timer.schedule(
                () -> {
                    throw new StackOverflowError("expected by a test");
                },
                0);
        unused = schedule("next", MILLI);

        Await.until("the next task", () -> !ran.isEmpty());
    }

    /** A logger throws what the getter of the message does: a failing handler of an application, or no memory. */
    @Test
    void taskThatThrows_loggerThrows_othersRun() {
        for (Error ofLogger : List.of(new OutOfMemoryError("expected by a test"), new AssertionError("by a test"))) {
            ran.clear();
            try (LogLines log = new LogLines("dev.weir.redis")) {
                BooleanSupplier unused = timer.schedule(
                        () -> {
                            throw new UnloggableException(ofLogger);
                        },
                        0);
                unused = schedule("next", MILLI);

                Await.until("the next task", () -> !ran.isEmpty());
                assertThat(log.lines()).isEmpty();
            }
        }
    }

    private static final class UnloggableException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final Error ofLogger;

        UnloggableException(Error ofLogger) {
            this.ofLogger = ofLogger;
        }

        @Override
        public String getMessage() {
            throw ofLogger;
        }
    }

    /** A thread that is not woken runs a task up to a second late. */
    @Test
    void taskThatIsTheFirst_wakesTheThread() {
        BooleanSupplier unused = schedule("in an hour", TimeUnit.HOURS.toNanos(1));
        long start = System.nanoTime();
        for (int i = 1; i <= 20; i++) {
            int count = i;
            unused = schedule("soon", MILLI);
            Await.until("the task", () -> ran.size() == count);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void thread_waitsWithoutProcessorTime() throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        CompletableFuture<Long> before = new CompletableFuture<>();
        CompletableFuture<Long> after = new CompletableFuture<>();
        BooleanSupplier unused = timer.schedule(() -> before.complete(threads.getCurrentThreadCpuTime()), 0);
        unused = timer.schedule(() -> after.complete(threads.getCurrentThreadCpuTime()), 1_500 * MILLI);

        assertThat(after.get() - before.get()).isLessThan(500 * MILLI);
    }

    @Test
    void closed_runsItsTasks_andItsThreadEnds() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        timer.close();
        BooleanSupplier unused = timer.schedule(() -> thread.complete(Thread.currentThread()), 20 * MILLI);

        Await.until("the end of the thread", () -> !thread.get().isAlive());
    }
}
