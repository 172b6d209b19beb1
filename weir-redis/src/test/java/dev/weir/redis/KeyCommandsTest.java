package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.testing.Await;
import io.lettuce.core.protocol.AsyncCommand;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations on keys; the test answers them or not. */
final class KeyCommandsTest {
    private static final int IN_FLIGHT = 2;
    private static final Request REQUEST = Request.of("test", Limits.parse("10/1h"), "key", 1);
    private static final byte[] DENIED = ByteBuffer.allocate(34).putInt(1, 1).array();

    private final Timer timer = new Timer();
    private final SilentConnection connection = new SilentConnection(timer);
    private final DenialCache denials = new DenialCache(Duration.ofHours(1).toNanos(), timer);
    private final Queue<AsyncCommand<byte[], byte[], Object>> sent = new ArrayDeque<>();
    private final List<String> lost = new CopyOnWriteArrayList<>();
    private final StoreListener events = new StoreListener() {
        @Override
        public void refundLost(String limiter, String key, StoreException failure) {
            lost.add(key + ": " + failure.getMessage());
        }
    };

    @AfterEach
    void stop() {
        timer.close();
        connection.close();
    }

    private KeyCommands commands(Duration timeout) {
        return commands(timeout, () -> PackedRequests.SERVER_TIME);
    }

    private KeyCommands commands(Duration timeout, Supplier<byte[]> time) {
        connection.sending = () -> {
            AsyncCommand<byte[], byte[], Object> reply = SilentConnection.unanswered();
            sent.add(reply);
            return reply;
        };
        EventNotifier notifier = new EventNotifier(List.of(events));
        return new KeyCommands(
                new ScriptRunner(connection, notifier, timer),
                new Keys("weir", null),
                denials,
                notifier,
                timer,
                new ScriptSettings(time, timeout.toNanos(), IN_FLIGHT));
    }

    private static CompletableFuture<Decision> peek(KeyCommands commands) {
        return commands.peek(List.of(REQUEST));
    }

    private static StoreException failure(CompletableFuture<?> failed) {
        assertThat(failed).failsWithin(Await.TIMEOUT);
        return (StoreException) failed.handle((done, why) -> why instanceof CompletionException ? why.getCause() : why)
                .join();
    }

    @Test
    void tooManyInFlight_isAnOverload_untilOneIsAnswered() {
        KeyCommands commands = commands(Await.TIMEOUT);
        for (int i = 0; i < 2 * IN_FLIGHT; i++) {
            CompletableFuture<Decision> answered = peek(commands);
            sent.remove().complete(DENIED);
            assertThat(answered.join().allowed()).isFalse();
        }
        CompletableFuture<Decision> first = peek(commands);
        CompletableFuture<Decision> second = peek(commands);
        for (int i = 0; i < 2 * IN_FLIGHT; i++) {
            StoreException overload = failure(peek(commands));
            assertThat(overload.isOverload()).isTrue();
            assertThat(overload).hasMessage("too many calls in flight: 2");
        }

        sent.remove().complete(DENIED);

        assertThat(first).isDone();
        assertThat(List.of(second, peek(commands))).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void unanswered_fails_andNoLongerCountsAsInFlight() {
        KeyCommands commands = commands(Duration.ofMillis(100));
        for (int i = 0; i < 2 * IN_FLIGHT; i++) {
            assertThat(failure(peek(commands))).hasMessage("Redis did not answer within 200 ms");
            connection.circuit = connection.newCircuit(); // the other is open
        }
    }

    /** The reply may be there, and only the I/O thread be late, which is not asked. */
    @Test
    void unanswered_failsLater_byTheTimeThatTheIoThreadMayBeLate() {
        Duration timeout = Duration.ofMillis(200);
        KeyCommands commands = commands(timeout);
        long start = timer.nanos();

        assertThat(failure(peek(commands))).hasMessage("Redis did not answer within 400 ms");
        assertThat(timer.nanos() - start)
                .isGreaterThanOrEqualTo(timeout.multipliedBy(2).toNanos());
    }

    private static byte[] entry(int kind, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(7 + bytes.length)
                .put((byte) kind)
                .putInt(kind == 8 ? 1 : 0)
                .putShort((short) bytes.length)
                .put(bytes)
                .array();
    }

    @Test
    void notDecided_failsWithTheReason() {
        KeyCommands commands = commands(Await.TIMEOUT);
        CompletableFuture<Decision> rejected = peek(commands);
        sent.remove().complete(entry(9, "ERR damaged"));
        CompletableFuture<Decision> stopped = peek(commands);
        sent.remove().complete(entry(8, ""));
        CompletableFuture<Decision> unreadable = peek(commands);
        sent.remove().complete(new byte[] {1});

        assertThat(failure(rejected)).hasMessage("Redis refused: ERR damaged");
        assertThat(failure(stopped)).hasMessage("Redis stopped the script, which took too long");
        assertThat(failure(unreadable)).hasMessage("the answer of Redis is unreadable");
    }

    private boolean isDenialCached() {
        return denials.denial(REQUEST.limiter(), REQUEST.limits(), REQUEST.key(), REQUEST.permits(), 0) != null;
    }

    private void learnDenial(Batch batch) {
        denials.learn(batch, DenialCacheTest.denied(Duration.ofMinutes(30).toNanos()));
    }

    /** A script that the server does not know is sent again as text, so that requests sent after it are decided before it. */
    @Test
    void change_discardsDenials_whenItIsSent_andWhenItIsAnswered() {
        Batch inFlight = DenialCacheTest.batch(REQUEST);
        learnDenial(inFlight);
        assertThat(isDenialCached()).isTrue();

        CompletableFuture<Void> reset = commands(Await.TIMEOUT).reset(REQUEST);
        assertThat(isDenialCached()).isFalse();
        learnDenial(inFlight);
        assertThat(isDenialCached()).isFalse();

        learnDenial(DenialCacheTest.batch(REQUEST));
        assertThat(isDenialCached()).isTrue();
        sent.remove().complete(DENIED);
        assertThat(reset).isCompleted();
        assertThat(isDenialCached()).isFalse();
    }

    /** Refunds have a bound of their own, above which they wait: other operations, and few allowed ones, must not lose permits. */
    @Test
    void refund_asManyOthersInFlightAsAllowed_isSent() {
        KeyCommands commands = commands(Await.TIMEOUT);
        for (int i = 0; i < IN_FLIGHT; i++) {
            assertThat(peek(commands)).isNotDone();
        }

        for (int i = 1; i <= 2 * IN_FLIGHT; i++) {
            commands.refund(List.of(REQUEST), List.of(1L), new byte[8], true);
            assertThat(sent).hasSize(IN_FLIGHT + i);
        }
        assertThat(failure(peek(commands)).isOverload()).isTrue();
        sent.forEach(reply -> reply.complete(DENIED));
        assertThat(peek(commands)).isNotDone();
    }

    @Test
    void refund_manyInFlight_leaveRoomForOthers() {
        KeyCommands commands = commands(Await.TIMEOUT);
        for (int i = 0; i < 2 * IN_FLIGHT; i++) {
            commands.refund(List.of(REQUEST), List.of(1L), new byte[8], true);
        }

        for (int i = 0; i < IN_FLIGHT; i++) {
            assertThat(peek(commands)).isNotDone();
        }
        assertThat(failure(peek(commands)).isOverload()).isTrue();
        assertThat(sent).hasSize(3 * IN_FLIGHT);
        sent.forEach(reply -> reply.complete(DENIED));
        for (int i = 0; i < IN_FLIGHT; i++) {
            assertThat(peek(commands)).isNotDone();
        }
        assertThat(failure(peek(commands)).isOverload()).isTrue();
    }

    /** A refund that throws on the I/O thread would end what that thread does for the batch, and be lost without a notice. */
    @Test
    void refund_timeSourceThrows_listenersAreNotified() {
        KeyCommands commands = commands(Await.TIMEOUT, () -> {
            throw new IllegalStateException("expected by a test");
        });

        commands.refund(List.of(REQUEST), List.of(1L), new byte[8], true);

        Await.until("the event", () -> lost.contains("key: the refund could not be sent"));
        assertThat(sent).isEmpty();
    }
}
