package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import io.lettuce.core.RedisClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The states of a circuit, its probes and its events. */
final class CircuitBreakerTest {
    private static final long TIMEOUT = TimeUnit.HOURS.toNanos(1); // longer than a test runs

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final EventNotifier notifier = new EventNotifier(List.of(new StoreEvents(events)));
    private final Tasks tasks = new Tasks();
    private final List<CompletableFuture<Void>> probes = new ArrayList<>();
    private final Timer timer = new Timer();
    private final CircuitBreaker circuit = newCircuit();
    private final long start = timer.nanos();

    /** An executor whose tasks run when a test calls {@link #runNext}. */
    private static final class Tasks extends ScheduledThreadPoolExecutor {
        private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
        private final List<Long> delays = new ArrayList<>(); // in milliseconds
        private boolean outOfMemory;

        Tasks() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            if (outOfMemory) {
                throw new OutOfMemoryError();
            }
            waiting.add(task);
            delays.add(unit.toMillis(delay));
            return super.schedule(() -> {}, 0, unit);
        }

        void runNext() {
            waiting.remove().run();
        }
    }

    private CircuitBreaker newCircuit() {
        return new CircuitBreaker(
                tasks,
                () -> {
                    probes.add(new CompletableFuture<>());
                    return probes.get(probes.size() - 1);
                },
                notifier,
                timer,
                TIMEOUT);
    }

    @AfterEach
    void stop() {
        tasks.shutdownNow();
    }

    private static StoreException failure(String message) {
        return new StoreException(message);
    }

    private boolean open() {
        return circuit.open(failure("lost"), timer.nanos());
    }

    /** It would stay open for ever: only a probe closes it. */
    @Test
    void open_probeCannotBeScheduled_staysClosed() {
        tasks.outOfMemory = true;
        assertThatThrownBy(this::open).isInstanceOf(OutOfMemoryError.class);
        assertThat(circuit.failure()).isNull();

        tasks.outOfMemory = false;
        assertThat(open()).isTrue();
        assertThat(circuit.failure()).hasMessage("lost");
        tasks.runNext();
        probes.get(0).complete(null);
        assertThat(circuit.failure()).isNull();
        Await.until("both events", () -> events.size() == 2);
    }

    private boolean isOpen() {
        return circuit.failure() != null;
    }

    private CompletableFuture<Void> nextProbe() {
        tasks.runNext();
        return probes.get(probes.size() - 1);
    }

    private void awaitEvents(String... expected) {
        Await.until("the events", () -> events.equals(List.of(expected)), events::toString);
    }

    @Test
    void unanswered_forThreeTimeouts_opens() {
        circuit.unanswered(start, start);
        circuit.unanswered(start, start + 2 * TIMEOUT - 1);
        assertThat(isOpen()).isFalse();
        circuit.unanswered(start, start + 2 * TIMEOUT);
        assertThat(circuit.failure()).hasMessage("Redis does not answer");
    }

    @Test
    void unanswered_afterIdleTime_countsFromTheNextRequest() {
        circuit.unanswered(start, start);
        circuit.unanswered(start, start + 3 * TIMEOUT);
        circuit.unanswered(start, start + 5 * TIMEOUT - 1);
        assertThat(isOpen()).isFalse();
        circuit.unanswered(start, start + 5 * TIMEOUT);
        assertThat(isOpen()).isTrue();
    }

    @Test
    void answered_inTime_countsAgain() {
        circuit.unanswered(start, start);
        circuit.answered(timer.nanos());
        circuit.unanswered(start, start + 2 * TIMEOUT);
        assertThat(isOpen()).isFalse();
    }

    @Test
    void answered_late_isUnanswered() {
        circuit.answered(start - TIMEOUT);
        circuit.unanswered(start, start + 5 * TIMEOUT / 2);
        assertThat(isOpen()).isTrue();
    }

    @Test
    void closed_afterNoAnswers_countsAgain() {
        circuit.unanswered(start, start);
        assertThat(open()).isTrue();
        nextProbe().complete(null);
        circuit.unanswered(timer.nanos(), start + 2 * TIMEOUT);
        assertThat(isOpen()).isFalse();
    }

    @Test
    void open_untilAProbeSucceeds() {
        assertThat(open()).isTrue();
        assertThat(circuit.failure()).hasMessage("lost").isNotSameAs(circuit.failure());
        assertThat(open()).isFalse();
        assertThat(tasks.delays).containsExactly(0L);

        nextProbe().complete(null);

        assertThat(isOpen()).isFalse();
        awaitEvents("down: lost", "up");
        assertThat(circuit.open(failure("before"), start)).isFalse();
        assertThat(open()).isTrue();
        awaitEvents("down: lost", "up", "down: lost");
    }

    @Test
    void open_probesFail_pausesDouble_toHalfASecond() {
        assertThat(open()).isTrue();
        for (int i = 0; i < 6; i++) {
            nextProbe().completeExceptionally(new IllegalStateException("refused " + i));
            assertThat(circuit.failure()).hasMessage("lost; still unavailable: refused " + i);
        }
        nextProbe().completeExceptionally(new IllegalStateException("lost"));
        assertThat(circuit.failure()).hasMessage("lost");
        assertThat(tasks.delays).containsExactly(0L, 100L, 200L, 400L, 500L, 500L, 500L, 500L);

        nextProbe().complete(null);
        assertThat(open()).isTrue();
        assertThat(circuit.failure()).hasMessage("lost");
        nextProbe().completeExceptionally(new IllegalStateException("refused"));
        assertThat(tasks.delays).endsWith(100L, 100L);
    }

    @Test
    void open_soonAgain_durationDoubles_toASecond() {
        for (int i = 0; i < 7; i++) {
            assertThat(open()).isTrue();
            nextProbe().complete(null);
        }
        assertThat(tasks.delays).containsExactly(0L, 100L, 200L, 400L, 800L, 1_000L, 1_000L);
    }

    @Test
    void start_attemptFails_opensWithItsReason() {
        Queue<CompletableFuture<Void>> attempts = new ArrayDeque<>();
        CompletableFuture<Void> started = circuit.start(
                () -> {
                    attempts.add(new CompletableFuture<>());
                    return attempts.element();
                },
                "here:1");
        for (int i = 0; i < 2; i++) { // the first may have been too slow because it loaded classes
            assertThat(open()).isFalse();
            assertThat(started).isNotDone();
            attempts.remove().completeExceptionally(new IllegalStateException("no route"));
        }

        assertThat(started).isCompleted();
        assertThat(attempts).isEmpty();
        assertThat(circuit.failure()).hasMessage("Redis cannot be reached at here:1: no route");
    }

    @Test
    void start_attemptSucceeds_isClosed() {
        CompletableFuture<Void> started = circuit.start(() -> CompletableFuture.completedFuture(null), "here:1");

        assertThat(started).isCompleted();
        assertThat(isOpen()).isFalse();
        assertThat(open()).isTrue();
    }

    /** The connection to the former server is closed with requests that it has not answered. */
    @Test
    void moved_failureOfARequestToTheFormerServer_isIgnored() {
        circuit.moved();

        assertThat(circuit.open(failure("closed"), start)).isFalse();
        assertThat(isOpen()).isFalse();
        Await.until("a request that is sent later", this::open);
    }

    @Test
    void retire_staysClosed() {
        assertThat(open()).isTrue();
        CompletableFuture<Void> probe = nextProbe();
        assertThat(circuit.isRetired()).isFalse();

        circuit.retire();

        assertThat(circuit.isRetired()).isTrue();
        assertThat(isOpen()).isFalse();
        probe.completeExceptionally(new IllegalStateException("refused"));
        assertThat(isOpen()).isFalse();
        assertThat(tasks.waiting).isEmpty();
        assertThat(open()).isFalse();
        awaitEvents("down: lost", "up");
    }

    @Test
    void retire_probeIsDue_isNotSent() {
        assertThat(open()).isTrue();
        circuit.retire();
        tasks.runNext();
        assertThat(probes).isEmpty();
    }

    @Test
    void shutDown_staysOpen() {
        assertThat(open()).isTrue();
        CompletableFuture<Void> probe = nextProbe();
        circuit.shutDown();
        probe.complete(null);
        assertThat(circuit.failure()).hasMessage("the store is closed");
        assertThat(open()).isFalse();
    }

    @Test
    void open_executorEnded_isRetired() {
        ScheduledExecutorService ended = new ScheduledThreadPoolExecutor(1);
        ended.shutdown();
        CircuitBreaker last = new CircuitBreaker(ended, CompletableFuture::new, notifier, timer, TIMEOUT);
        assertThat(last.open(failure("closed"), timer.nanos())).isTrue();
        assertThat(last.isRetired()).isTrue();
    }

    /** The store must not report that it is up while requests for one of two nodes fail. */
    @Test
    void twoCircuits_upWhenBothAreClosed() {
        CircuitBreaker other = newCircuit();
        assertThat(open()).isTrue();
        CompletableFuture<Void> probe = nextProbe();
        assertThat(other.open(failure("other"), timer.nanos())).isTrue();
        CompletableFuture<Void> probeOfOther = nextProbe();
        probe.complete(null);
        assertThat(open()).isTrue();
        nextProbe().complete(null);
        assertThat(isOpen()).isFalse();

        probeOfOther.complete(null);

        awaitEvents("down: lost", "up");
    }

    @Test
    void refused_manyTimes_isLoggedOnceAMinute() {
        try (LogLines log = new LogLines("dev.weir.redis")) {
            for (int i = 0; i < 100; i++) {
                notifier.refused(failure("no memory " + i));
            }
            notifier.notifyEach(StoreListener::storeUp); // after the failures
            awaitEvents("up");
            assertThat(log.lines().stream().filter(line -> line.contains("no memory")))
                    .containsExactly("WARNING no memory 0; limiters follow their failure policies");
        }
    }

    @Test
    void probe_failsWithoutAReason_isRepeated() {
        assertThat(open()).isTrue();
        nextProbe().completeExceptionally(new IllegalStateException() {
            private static final long serialVersionUID = 1;

            @Override
            public synchronized Throwable getCause() {
                throw new StackOverflowError(); // as if the reason found no memory
            }
        });
        nextProbe().complete(null);
        assertThat(isOpen()).isFalse();
    }

    @Test
    void probe_noThread_isRepeated() {
        int[] attempts = {0};
        CircuitBreaker repeating = new CircuitBreaker(
                tasks,
                () -> {
                    if (attempts[0]++ == 0) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return CompletableFuture.completedFuture(null);
                },
                notifier,
                timer,
                TIMEOUT);
        assertThat(repeating.open(failure("lost"), timer.nanos())).isTrue();
        tasks.runNext();
        assertThat(repeating.failure()).hasMessageEndingWith("unable to create native thread");
        tasks.runNext();
        assertThat(repeating.failure()).isNull();
        assertThat(tasks.waiting).isEmpty();
    }

    @Test
    void probeThread_isStartedAtOnce() {
        RedisClient client = RedisClient.create();
        try {
            List<Thread> before = threads();
            ScheduledExecutorService unused = RedisConnection.probeThread(client);
            assertThat(threads()).hasSizeGreaterThan(before.size());
        } finally {
            client.shutdown(0, 0, TimeUnit.SECONDS);
        }
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("eventExecutorLoop"))
                .toList();
    }
}
