package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.internal.Futures;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import dev.weir.testing.Await;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandArgs;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests on a connection that does not answer or fails to send, as the test sets. */
final class BatcherTest {
    private static final Limits LIMITS = Limits.parse("10/1h");

    /** An answer to one request; the number of requests follows the kind. */
    private static final byte[] DENIED = ByteBuffer.allocate(34).putInt(1, 1).array();

    private final Timer timer = new Timer();
    private final SilentConnection connection = new SilentConnection(timer);
    private final EventNotifier events = new EventNotifier(List.of());
    private final ScriptRunner runner = new ScriptRunner(connection, events, timer);
    private final Batcher batcher = newBatcher(Duration.ofMillis(100));

    private Batcher newBatcher(Duration timeout) {
        return new Batcher(
                runner,
                new Keys("weir", null),
                new DenialCache(0, timer),
                (requests, permits, handle, first) -> {},
                events,
                timer,
                new ScriptSettings(() -> PackedRequests.SERVER_TIME, timeout.toNanos(), 1_000));
    }

    @AfterEach
    void stop() {
        connection.close();
    }

    private static StoreReservation decide(Batcher batcher, String key) {
        return Futures.join(batcher.decide(List.of(request(key)), 0, true));
    }

    private static void decideAsync(Batcher batcher, String key) {
        var unused = batcher.decide(List.of(request(key)), 0, false);
    }

    private static Request request(String key) {
        return Request.of("test", LIMITS, key, 1);
    }

    private void assertUnanswered(String key) {
        assertThatThrownBy(() -> decide(batcher, key)).isInstanceOf(StoreException.class);
    }

    @Test
    void unanswered_slotHasMoved_opensTheCircuitOfTheFormerServer() {
        CircuitBreaker hung = connection.circuit;
        CircuitBreaker promoted = connection.newCircuit();
        assertUnanswered("key");
        connection.circuit = promoted;

        Await.until("an open circuit", () -> hung.failure() != null);
        assertThat(promoted.failure()).isNull();
    }

    @Test
    void unanswered_noLongerCountsAsInFlight() {
        for (int i = 0; i < 100; i++) {
            var unused = batcher.decide(List.of(request("key")), 0, false);
        }
        assertUnanswered("key");

        Await.until("no call in flight", () -> batcher.statistics().callsInFlight() == 0);
    }

    @Test
    void error_whileARequestIsSent_failsIt_andTheNextIsSent() {
        connection.sending = () -> {
            throw new StackOverflowError();
        };
        Batcher lenient = newBatcher(Await.TIMEOUT);
        assertThatThrownBy(() -> decide(lenient, "key"))
                .isInstanceOf(StoreException.class)
                .hasMessage("the request could not be sent");

        connection.sending = SilentConnection::unanswered;
        var unused = lenient.decide(List.of(request("key")), 0, false);
        Await.until("the next request to be sent", () -> connection.sent.get() == 2);
    }

    /** The client throws when its connection to a cluster is closed. A batch without a reply would be in flight for ever. */
    @Test
    void clientThrows_whileAScriptIsSentAgain_requestFails() {
        for (Exception error : List.of(
                new RedisNoScriptException("NOSCRIPT No matching script"),
                new RedisCommandExecutionException("TRYAGAIN The slot moves"))) {
            List<AsyncCommand<byte[], byte[], Object>> replies = recordReplies(new ArrayList<>());
            CompletableFuture<StoreReservation> pending =
                    newBatcher(Await.TIMEOUT).decide(List.of(request("key")), 0, true);
            connection.sending = () -> {
                throw new IllegalStateException("closed");
            };

            replies.get(0).completeExceptionally(error);

            assertThatThrownBy(() -> Futures.join(pending))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("the request to Redis failed: closed");
        }
    }

    /** The thread that sends must not complete the requests, and the depth of the stack must not grow with their number. */
    @Test
    void manyWait_noneCanBeSent_allFailOnTheCommonPool() {
        Batcher lenient = newBatcher(Await.TIMEOUT);
        List<CompletableFuture<StoreReservation>> waiting = new ArrayList<>();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        AtomicLong depth = new AtomicLong();
        connection.sending = () -> {
            for (int i = 0; i < 900 && connection.sent.get() == 1; i++) {
                CompletableFuture<StoreReservation> pending = lenient.decide(List.of(request("key " + i)), 0, false);
                waiting.add(pending.whenComplete((done, failure) -> threads.add(Thread.currentThread())));
            }
            depth.accumulateAndGet(StackWalker.getInstance().walk(Stream::count), Math::max);
            throw new IllegalStateException("not sent");
        };
        long here = StackWalker.getInstance().walk(Stream::count);
        assertThatThrownBy(() -> decide(lenient, "key")).hasMessage("not sent");

        assertThat(waiting).hasSize(900).allSatisfy(each -> assertThat(each).failsWithin(Await.TIMEOUT));
        assertThat(depth.get() - here).isLessThan(60);
        assertThat(threads).allMatch(ForkJoinWorkerThread.class::isInstance);
    }

    /** The answer may be there, but only the I/O thread reads it. A busy machine makes it longer, never shorter. */
    @Test
    void unanswered_ioThreadDoesNotRun_timeStandsStill_forATimeout() {
        connection.writing = SilentConnection::write;
        connection.reading = SilentConnection::unanswered;
        long start = System.nanoTime();

        assertThatThrownBy(() -> decide(newBatcher(Duration.ofMillis(200)), "key"))
                .hasMessage("Redis did not answer within 200 ms");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(400));
    }

    /** Only the thread that sends it is late. */
    @Test
    void unanswered_notWritten_timeStandsStill_untilItIs() {
        List<CommandArgs<?, ?>> unwritten = new CopyOnWriteArrayList<>();
        connection.writing = unwritten::add;
        AtomicInteger asked = countQuestions(connection.reading);
        Duration timeout = Duration.ofSeconds(2);
        Batcher own = newBatcher(timeout);
        long start = System.nanoTime();
        CompletableFuture<StoreReservation> pending = own.decide(List.of(request("key")), 0, true);
        Await.until("half the timeout", () -> System.nanoTime() - start > timeout.toNanos() / 2);
        assertThat(asked).hasValue(0);

        SilentConnection.write(unwritten.get(0));

        assertThatThrownBy(() -> Futures.join(pending)).hasMessage("Redis did not answer within 2000 ms");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(timeout.plusMillis(400));
        assertThat(asked).hasPositiveValue();
    }

    /**
     * Counts how often the I/O thread is asked whether it runs: again after a quarter of the timeout, but only when time goes on. That does
     * not depend on the machine, as a bound on the time until a request fails would.
     */
    private AtomicInteger countQuestions(Supplier<RedisFuture<?>> reading) {
        AtomicInteger asked = new AtomicInteger();
        connection.reading = () -> {
            asked.incrementAndGet();
            return reading.get();
        };
        return asked;
    }

    /** Time stands still once for each request: it expires before the I/O thread is asked a second time. */
    @Test
    void unanswered_ioThreadIsAskedAgain_requestsHaveExpired() {
        connection.writing = SilentConnection::write;
        Duration timeout = Duration.ofMillis(200);
        Batcher own = newBatcher(timeout);
        AtomicInteger asked = new AtomicInteger();
        AtomicReference<CompletableFuture<?>> young = new AtomicReference<>();
        connection.reading = () -> { // the first time, a request begins to wait; the time was read a moment ago
            if (asked.incrementAndGet() == 1) {
                connection.writing = command -> {}; // else the I/O thread would be known to run
                young.set(own.decide(List.of(request("young")), 0, true));
            }
            return SilentConnection.unanswered();
        };

        assertThatThrownBy(() -> decide(own, "key")).isInstanceOf(StoreException.class);
        assertThat(young.get()).failsWithin(Await.TIMEOUT);
        assertThat(asked).hasValue(1);
    }

    /** The timer slept meanwhile, because nothing was in flight, so it could not notice the pause. */
    @Test
    void callerIsPaused_beforeItsRequestIsInFlight_theTimeoutBeginsThen() {
        Duration timeout = Duration.ofMillis(200);
        Batcher own = newBatcher(timeout);
        AtomicLong resumedAt = new AtomicLong();
        connection.looking = () -> {
            connection.looking = () -> {};
            LockSupport.parkNanos(timeout.multipliedBy(3).toNanos()); // the pause itself
            resumedAt.set(timer.nanos());
        };

        assertThatThrownBy(() -> decide(own, "key")).hasMessage("Redis did not answer within 200 ms");
        assertThat(timer.nanos() - resumedAt.get()).isGreaterThanOrEqualTo(timeout.toNanos());
    }

    @Test
    void unanswered_ioThreadRuns_timePasses() {
        connection.writing = SilentConnection::write;
        AtomicInteger asked = countQuestions(connection.reading);

        assertThatThrownBy(() -> decide(newBatcher(Duration.ofSeconds(2)), "key"))
                .hasMessage("Redis did not answer within 2000 ms");
        assertThat(asked).hasValueGreaterThan(1);
    }

    /** The client is shut down, so there is nothing to read. */
    @Test
    void unanswered_clientThrows_timePasses() {
        connection.writing = SilentConnection::write;
        AtomicInteger asked = countQuestions(() -> {
            throw new IllegalStateException("cannot be started once stopped");
        });

        assertThatThrownBy(() -> decide(newBatcher(Duration.ofSeconds(2)), "key"))
                .hasMessage("Redis did not answer within 2000 ms");
        assertThat(asked).hasValueGreaterThan(1);
    }

    /** The oldest request has been in flight for longer than a round trip is expected to take. */
    @Test
    void serverIsBehind_waitingRequestsAreSentWhenItAnswers() {
        List<AsyncCommand<byte[], byte[], Object>> replies = recordReplies(new ArrayList<>());
        Batcher lenient = newBatcher(Await.TIMEOUT);
        decideAsync(lenient, "one");
        long sentAt = timer.nanos();
        decideAsync(lenient, "two");
        Await.until("a late answer", () -> timer.nanos() - sentAt > 6_000_000);
        decideAsync(lenient, "three");
        int sent = replies.size(); // one if this thread was paused for a second before the second request
        assertThat(sent).isLessThan(3);

        for (int i = 0; i < sent; i++) {
            replies.get(i).completeExceptionally(new RedisCommandExecutionException("ERR expected by a test"));
        }

        assertThat(replies).hasSize(sent + 1);
    }

    /** A request sent by the I/O thread would be written before requests of other threads that are not written yet. */
    @Test
    void ioThread_requestNotYetWritten_timerSends() {
        List<Thread> senders = new CopyOnWriteArrayList<>();
        List<AsyncCommand<byte[], byte[], Object>> replies = recordReplies(senders);
        Batcher lenient = newBatcher(Await.TIMEOUT);
        decideAsync(lenient, "one");
        replies.get(0).complete(DENIED);

        decideAsync(lenient, "two");
        decideAsync(lenient, "three");

        Await.until("the last request to be sent", () -> replies.size() == 3);
        assertThat(senders).startsWith(Thread.currentThread(), Thread.currentThread());
        assertThat(senders.get(2).getName()).isEqualTo("weir-redis-timer");
    }

    /** After it has cancelled a reservation, a caller is not denied because of it. */
    @Test
    void ioThread_refundNotYetWritten_timerSends() {
        List<Thread> senders = new CopyOnWriteArrayList<>();
        List<AsyncCommand<byte[], byte[], Object>> replies = recordReplies(senders);
        Batcher lenient = newBatcher(Await.TIMEOUT);
        decideAsync(lenient, "one");
        replies.get(0).complete(DENIED);
        ScriptRunner.Progress none = new ScriptRunner.Progress() {};
        var unused = runner.run(Script.REFUND, connection.circuit, new byte[][] {{'k'}}, new byte[0][], 1, none);

        decideAsync(lenient, "two");

        Await.until("the last request to be sent", () -> replies.size() == 3);
        assertThat(senders.get(2).getName()).isEqualTo("weir-redis-timer");
        replies.subList(1, 3).forEach(reply -> reply.complete(DENIED));
        decideAsync(lenient, "three");
        assertThat(senders).hasSize(4).last().isEqualTo(Thread.currentThread());
    }

    /** Records the futures of the requests that are sent, and the threads that send them. */
    private List<AsyncCommand<byte[], byte[], Object>> recordReplies(List<Thread> senders) {
        List<AsyncCommand<byte[], byte[], Object>> replies = new CopyOnWriteArrayList<>();
        connection.sending = () -> {
            AsyncCommand<byte[], byte[], Object> reply = SilentConnection.unanswered();
            senders.add(Thread.currentThread());
            replies.add(reply);
            return reply;
        };
        return replies;
    }

    /** A caller sends only a few requests of others. */
    @Test
    void manyWait_callerSendsAFew_timerTheRest() {
        Batcher lenient = newBatcher(Await.TIMEOUT);
        List<Thread> senders = new CopyOnWriteArrayList<>();
        connection.sending = () -> {
            for (int i = 0; i < 900 && senders.isEmpty(); i++) {
                decideAsync(lenient, "key " + i);
            }
            senders.add(Thread.currentThread());
            throw new IllegalStateException("not sent");
        };
        assertThatThrownBy(() -> decide(lenient, "key")).hasMessage("not sent");

        Await.until("all requests to be sent", () -> lenient.statistics().callsInFlight() == 0);
        assertThat(senders.stream().filter(Thread.currentThread()::equals)).hasSize(8);
        assertThat(senders).hasSize(1 + 29);
    }

    @Test
    void serverWithoutSlots_isRemoved() {
        connection.sending = () -> {
            throw new IllegalStateException("not sent");
        };
        Batcher lenient = newBatcher(Await.TIMEOUT);
        WeakReference<CircuitBreaker> retired = new WeakReference<>(connection.circuit);
        assertThatThrownBy(() -> decide(lenient, "key")).hasMessage("not sent");
        connection.circuit.retire();

        Await.until("the circuit of the server to be collected", () -> {
            connection.circuit = connection.newCircuit();
            assertThatThrownBy(() -> decide(lenient, "key")).hasMessage("not sent");
            System.gc();
            return retired.get() == null;
        });
    }

    /** A StackOverflowError occurs at many places, including those where the queues change. */
    @Tag("large")
    @Test
    void stackOverflow_atAnyDepth_otherThreadsAreSent() throws Exception {
        for (int round = 0; round < 50; round++) {
            Thread deep = new Thread(null, this::decideAtEachDepth, "deep", 256 << 10);
            deep.start();
            deep.join();
            int before = connection.sent.get();
            Await.until("a request that is sent", () -> {
                assertUnanswered("key");
                connection.circuit = connection.newCircuit();
                return connection.sent.get() > before;
            });
        }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private void decideAtEachDepth() {
        try {
            decideAtEachDepth();
        } catch (StackOverflowError atTheEnd) {
            var unused = batcher.decide(List.of(request("key")), 0, false);
        }
    }
}
