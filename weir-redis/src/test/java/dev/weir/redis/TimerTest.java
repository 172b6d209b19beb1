package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
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

    @Test
    void tasks_runInOrderOfTheirTimes() {
        BooleanSupplier unused = schedule("last", 60 * MILLI);
        unused = schedule("first", 20 * MILLI);
        unused = schedule("second", 40 * MILLI);

        Await.until("all tasks", () -> ran.size() == 3);
        assertThat(ran).containsExactly("first", "second", "last");
    }

    @Test
    void cancelledTask_doesNotRun() {
        assertThat(schedule("cancelled", 20 * MILLI).getAsBoolean()).isTrue();
        BooleanSupplier other = schedule("other", 40 * MILLI);

        Await.until("the other task", () -> !ran.isEmpty());
        assertThat(ran).containsExactly("other");
        assertThat(other.getAsBoolean()).isFalse();
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
}
