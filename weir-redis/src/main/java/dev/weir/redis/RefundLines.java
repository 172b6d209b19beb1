package dev.weir.redis;

import dev.weir.internal.Futures;
import dev.weir.store.StoreException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Refunds in a line for each server, of which a bounded number is in flight, so that the server has time for requests that are waited
 * for, however many reservations are cancelled at once. Thread-safe.
 */
final class RefundLines {
    private static final int MAX_IN_FLIGHT = 32; // as much as a batch costs

    private final int maxWaiting;
    private final Map<CircuitBreaker, Line> lines =
            new HashMap<>(); // those with refunds; guarded by this, and so is the rest
    private int waiting;

    /** The refunds for one server. */
    private static final class Line {
        private final ArrayDeque<Refund> waiting = new ArrayDeque<>(1); // those beyond the bound in flight
        private int inFlight;
    }

    private record Refund(Supplier<CompletableFuture<Void>> script, CompletableFuture<Void> result) {}

    RefundLines(int maxWaiting) {
        this.maxWaiting = maxWaiting;
    }

    /** Runs a script that refunds, when its turn comes. The future completes as that of the script does. */
    CompletableFuture<Void> add(CircuitBreaker server, Supplier<CompletableFuture<Void>> script) {
        Refund refund = new Refund(script, new CompletableFuture<>());
        boolean hasRoom; // then this thread sends it, so that it is on its way when this method returns
        synchronized (this) {
            Line line = lines.computeIfAbsent(server, made -> new Line());
            hasRoom = line.waiting.isEmpty() && line.inFlight < MAX_IN_FLIGHT;
            if (hasRoom) {
                line.inFlight++;
            } else if (waiting >= maxWaiting) {
                return CompletableFuture.failedFuture(StoreException.overload(waiting));
            } else {
                waiting++;
                line.waiting.add(refund);
            }
        }
        if (hasRoom) {
            send(server, refund);
        }
        sendAll(server);
        return refund.result;
    }

    private void sendAll(CircuitBreaker server) {
        for (Refund next = poll(server); next != null; next = poll(server)) {
            send(server, next);
        }
    }

    private synchronized @Nullable Refund poll(CircuitBreaker server) {
        Line line = lines.get(server);
        if (line == null || line.waiting.isEmpty() || line.inFlight == MAX_IN_FLIGHT) {
            return null;
        }
        line.inFlight++;
        waiting--;
        return line.waiting.remove();
    }

    private void send(CircuitBreaker server, Refund refund) {
        CompletableFuture<Void> reply = run(refund.script);
        boolean failedAtOnce = reply.isDone(); // then the caller sends the next one, in a loop
        var unused = reply.whenComplete((done, failure) -> {
            ended(server);
            if (failure == null) {
                refund.result.complete(null);
            } else {
                refund.result.completeExceptionally(Futures.cause(failure));
            }
            if (!failedAtOnce) {
                sendAll(server);
            }
        });
    }

    private static CompletableFuture<Void> run(Supplier<CompletableFuture<Void>> script) {
        try {
            return script.get();
        } catch (RuntimeException | Error failure) { // of the calling thread, which may run out of stack
            return CompletableFuture.failedFuture(new StoreException("the refund could not be sent", failure));
        }
    }

    private synchronized void ended(CircuitBreaker server) {
        Line line = lines.get(server);
        if (line != null && --line.inFlight == 0 && line.waiting.isEmpty()) {
            lines.remove(server);
        }
    }
}
