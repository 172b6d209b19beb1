package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.testing.Await;
import dev.weir.testing.JavaCommand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a store is visited for idle keys, second by second. */
class IdleKeyTimerTest {
    private static final long SECOND = 1_000_000_000;

    private final Queue<Runnable> nextSecond = new ArrayDeque<>();
    private final KeyDirectory keys = new KeyDirectory(10, 100);
    private long now;
    private boolean clockFails;
    private boolean executorFails;
    private final IdleKeyTimer timer = new IdleKeyTimer(keys, this::read, this::execute);

    private void execute(Runnable task) {
        if (executorFails) {
            throw new OutOfMemoryError("no thread");
        }
        nextSecond.add(task);
    }

    private long read() {
        if (clockFails) {
            throw new IllegalStateException("no time");
        }
        return now;
    }

    private void add(String key) {
        assertThat(keys.stateFor(Request.of("test", Limits.parse("1/1s"), key, 1), now, true))
                .isNotNull();
        timer.schedule();
    }

    private void tick() {
        now += SECOND;
        nextSecond.remove().run();
    }

    @Test
    void schedule_twice_visitsOnce() {
        add("a");
        add("b");

        assertThat(nextSecond).hasSize(1);
    }

    @Test
    void visit_idleKeys_areRemovedAndNoneFollows() {
        add("a");

        tick();

        assertThat(keys.size()).isZero();
        assertThat(nextSecond).isEmpty();
    }

    @Test
    void visit_keysInUse_isRepeated() {
        add("a");
        now -= SECOND / 2; // the key is half a second old at the first visit

        tick();
        assertThat(keys.size()).isEqualTo(1);
        assertThat(nextSecond).hasSize(1);

        tick();
        assertThat(keys.size()).isZero();
        assertThat(nextSecond).isEmpty();
    }

    @Test
    void schedule_afterTheLastVisit_visitsAgain() {
        add("a");
        tick();
        add("b");

        assertThat(nextSecond).hasSize(1);
    }

    @Test
    void schedule_afterTheTimeSourceFailed_visitsAgain() {
        add("a");
        clockFails = true;
        assertThatThrownBy(this::tick).hasMessage("no time");
        assertThat(nextSecond).isEmpty();

        clockFails = false;
        timer.schedule();
        tick();
        assertThat(keys.size()).isZero();
    }

    @Test
    void schedule_afterTheExecutorFailed_visits() {
        executorFails = true;
        assertThatThrownBy(() -> add("a")).hasMessage("no thread");

        executorFails = false;
        timer.schedule();
        tick();
        assertThat(keys.size()).isZero();
    }

    @Test
    @Tag("real-time")
    void commonPoolWithoutThreads_idleKeys_areRemoved() throws Exception {
        String noThreads = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=0";
        Process application = new ProcessBuilder(JavaCommand.of(noThreads, OneKey.class.getName()))
                .redirectErrorStream(true)
                .start();

        assertThat(new String(application.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .endsWith("removed");
    }

    /** Uses a key once. */
    static final class OneKey {
        public static void main(String... words) {
            MemoryStore store = MemoryStore.create();
            RateLimiter limiter = RateLimiter.builder()
                    .name("test")
                    .limit("1/1ms")
                    .store(store)
                    .build();
            assertThat(limiter.tryAcquire("any").allowed()).isTrue();
            Await.until(
                    "the key to be removed",
                    Duration.ofSeconds(30),
                    () -> store.statistics().keys().orElseThrow() == 0);
            System.out.print("removed");
        }
    }
}
