package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Request;
import dev.weir.internal.Futures;
import dev.weir.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Operations on keys that do not grant permits, each in a script of its own: peek, inspect, reset, block, unblock and refund.
 * They do not wait for requests that gather. Futures fail with {@link StoreException} by their deadline. Thread-safe.
 */
final class KeyCommands implements RedisReservation.Refunds {
    private static final long REFUND_NANOS = CircuitBreaker.PROBE_NANOS;
    private static final int MAX_RUNS = 1_000; // of all limits: a few milliseconds with few reservations

    private final ScriptRunner runner;
    private final Keys keys;
    private final DenialCache denials;
    private final EventNotifier events;
    private final Timer timer;
    private final ScriptSettings settings;
    private final RefundLines refunds;
    private final AtomicInteger inFlight = new AtomicInteger(); // without refunds, which have a bound of their own

    KeyCommands(
            ScriptRunner runner,
            Keys keys,
            DenialCache denials,
            EventNotifier events,
            Timer timer,
            ScriptSettings settings) {
        this.runner = runner;
        this.keys = keys;
        this.denials = denials;
        this.events = events;
        this.timer = timer;
        this.settings = settings;
        this.refunds = new RefundLines(settings.maxInFlight());
    }

    private byte[] time() {
        return settings.time().get();
    }

    /** Returns what requests for keys of one slot would be answered, and writes nothing. */
    CompletableFuture<Decision> peek(List<Request> requests) {
        JointRequest joint = JointRequest.of(requests, 0);
        byte[][] values = PackedRequests.of(time(), List.of(List.of(joint)), true);
        return run(Script.deciding(requests), keys.of(requests), values, reply -> decision(joint, reply));
    }

    private static Decision decision(JointRequest joint, Object reply) {
        Answer answer = Reply.answers((byte[]) reply, List.of(List.of(joint))).get(0);
        if (answer.isRefused()) {
            throw new StoreException("Redis refused: " + answer.refusal());
        }
        if (answer.isUndecided()) {
            throw new StoreException("Redis stopped the script, which took too long");
        }
        return answer.decision();
    }

    /** Describes the state of a key. */
    CompletableFuture<KeySnapshot> inspect(Request request, int maxRuns) {
        int most = MAX_RUNS / request.limits().list().size();
        byte[][] values = PackedRequests.inspect(time(), request, Math.min(maxRuns, most));
        return run(
                Script.INSPECT,
                keys.of(List.of(request)),
                values,
                reply -> SnapshotReply.read(request.limits(), (byte[]) reply));
    }

    /** Removes the state of a key. */
    CompletableFuture<Void> reset(Request request) {
        return change(Script.RESET, request, new byte[][] {time()});
    }

    /** Denies all requests for a key for the given duration. */
    CompletableFuture<Void> block(Request request, long nanos) {
        long micros = Math.min(PackedLimits.micros(nanos), PackedLimits.LONGEST_BLOCK);
        byte[] duration = Long.toString(micros).getBytes(StandardCharsets.US_ASCII);
        return change(Script.BLOCK, request, new byte[][] {time(), duration});
    }

    /** Lifts the block of a key. */
    CompletableFuture<Void> unblock(Request request) {
        return change(Script.BLOCK, request, new byte[][] {time()});
    }

    /** Refunds permits without waiting for the answer. If that fails, they count until they expire, and listeners are notified. */
    @Override
    public void refund(List<Request> requests, List<Long> permits, byte[] handle, boolean first) {
        byte[][] names = keys.of(requests);
        CircuitBreaker server = runner.circuit(Keys.slot(names));
        CompletableFuture<Void> unused = refunds.add(server, () -> {
                    byte[][] values = PackedRequests.refund(time(), requests, permits, handle, first);
                    return change(requests, send(Script.REFUND, names, values, reply -> reply, () -> {}));
                })
                .whenComplete((done, failure) -> {
                    if (failure != null && Futures.cause(failure) instanceof StoreException lost) {
                        notifyLost(requests, permits, lost);
                    }
                });
    }

    private void notifyLost(List<Request> requests, List<Long> permits, StoreException lost) {
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            if (permits.get(i) > 0) {
                events.notifyEach(listener -> listener.refundLost(request.limiter(), request.key(), lost));
            }
        }
    }

    private CompletableFuture<Void> change(Script script, Request request, byte[][] values) {
        List<Request> requests = List.of(request);
        return change(requests, run(script, keys.of(requests), values, reply -> reply));
    }

    /** Discards cached denials of requests whose keys a script changes, which was sent. */
    private CompletableFuture<Void> change(List<Request> requests, CompletableFuture<Object> sent) {
        CompletableFuture<Void> changed = sent.thenAccept(reply -> {
            requests.forEach(denials::invalidate); // it may have been sent whole, and overtaken by other requests
        });
        requests.forEach(denials::invalidate); // not earlier: an older denial could be cached in between
        return changed;
    }

    /** Runs a script, unless as many are in flight as may be. */
    private <T> CompletableFuture<T> run(Script script, byte[][] names, byte[][] values, Function<Object, T> reader) {
        if (inFlight.incrementAndGet() > settings.maxInFlight()) {
            inFlight.decrementAndGet();
            return CompletableFuture.failedFuture(StoreException.overload(settings.maxInFlight()));
        }
        return send(script, names, values, reader, inFlight::decrementAndGet);
    }

    /** Sends a script, and runs an action once when it is answered, fails, or is overdue. */
    private <T> CompletableFuture<T> send(
            Script script, byte[][] names, byte[][] values, Function<Object, T> reader, Runnable ended) {
        CircuitBreaker circuit = runner.circuit(Keys.slot(names));
        CompletableFuture<T> result = new CompletableFuture<>();
        long sentAt = timer.nanos();
        long timeoutNanos = timeoutNanos(script);
        BooleanSupplier cancelDeadline =
                timer.schedule(() -> overdue(result, circuit, sentAt, timeoutNanos, ended), timeoutNanos);
        var unused = runner.run(script, circuit, names, values, timeoutNanos, new ScriptRunner.Progress() {})
                .whenComplete((reply, failure) -> {
                    if (cancelDeadline.getAsBoolean()) {
                        ended.run();
                    }
                    complete(result, reply, failure, reader);
                });
        return result;
    }

    /**
     * Returns how long a script may take, with the time that the I/O thread may be late, which is not asked as it is for decisions. Nobody
     * waits for a refund, and one that is answered late is not lost.
     */
    private long timeoutNanos(Script script) {
        long timeout = settings.timeoutNanos();
        return script == Script.REFUND ? Math.max(timeout, REFUND_NANOS) : timeout + settings.lateNanos();
    }

    private void overdue(
            CompletableFuture<?> result, CircuitBreaker circuit, long sentAt, long timeoutNanos, Runnable ended) {
        ended.run();
        circuit.unanswered(sentAt, timer.nanos());
        timer.fail(result, Errors.tooLate(timeoutNanos));
    }

    private <T> void complete(
            CompletableFuture<T> result,
            @Nullable Object reply,
            @Nullable Throwable failure,
            Function<Object, T> reader) {
        if (reply == null || failure != null) {
            Throwable cause = failure == null ? ScriptRunner.notSent(null) : Futures.cause(failure);
            result.completeExceptionally(cause instanceof StoreException why ? Errors.copy(why) : cause);
            return;
        }
        try {
            result.complete(reader.apply(reply));
        } catch (StoreException refused) {
            events.refused(refused);
            result.completeExceptionally(refused);
        } catch (RuntimeException unreadable) {
            result.completeExceptionally(new StoreException("the answer of Redis is unreadable", unreadable));
        }
    }
}
