package dev.weir;

import static dev.weir.internal.Spelling.shown;

import dev.weir.internal.Decisions;
import dev.weir.internal.Durations;
import dev.weir.internal.Futures;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Requests that are decided together on one store, all or none; often a single one. Immutable. */
final class RequestGroup {
    private static final int MAX_REQUESTS = 64;

    private final List<Request> requests;
    private final LimiterBase first;

    private RequestGroup(List<Request> requests) {
        this.requests = requests;
        this.first = limiter(requests.get(0));
    }

    private static LimiterBase limiter(Request request) {
        return (LimiterBase) request.owner(); // only limiters make requests that have an owner
    }

    /** A single request under the limits in force. */
    static RequestGroup of(Request request) {
        return new RequestGroup(List.of(request));
    }

    /** Several requests, checked, under the limits in force. */
    static RequestGroup of(Request... requests) {
        Objects.requireNonNull(requests, "requests must not be null");
        Checks.range("requests", requests.length, 1, MAX_REQUESTS);
        Request[] current = new Request[requests.length];
        for (int i = 0; i < requests.length; i++) {
            Request request = Objects.requireNonNull(requests[i], "requests must not contain null");
            if (limiter(request).store != limiter(requests[0]).store) {
                throw new IllegalArgumentException("requests decided together must be of limiters that share a store");
            }
            for (int earlier = 0; earlier < i; earlier++) {
                checkDifferent(requests[earlier], request);
            }
            current[i] = request.current();
        }
        return new RequestGroup(List.of(current));
    }

    private static void checkDifferent(Request earlier, Request request) {
        if (request.key().equals(earlier.key()) && request.limiter().equals(earlier.limiter())) {
            throw new IllegalArgumentException("duplicate limiter and key; request more permits instead: limiter '"
                    + request.limiter() + "', key '" + shown(request.key()) + "'");
        }
    }

    /** Decides without a wait. A single request needs no reservation, which costs more. */
    Decision decide() {
        Request request = requests.get(0);
        return requests.size() == 1
                ? first.decideNow(request.limits(), request.key(), request.permits())
                : reserve(Duration.ZERO).decision();
    }

    /** Acquires, and waits if necessary, also for the store's answer. If the thread is interrupted, the reservation is cancelled. */
    Decision acquire(Duration maxWait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long maxWaitNanos = Durations.nonNegativeNanos("maxWait", maxWait);
        long began = startOf(maxWaitNanos);
        CompletableFuture<StoreReservation> answer = reserveInStore(maxWaitNanos);
        StoreReservation reserved = null;
        Throwable failure = null;
        try {
            reserved = answer.get();
        } catch (ExecutionException failed) {
            failure = failed;
        } catch (InterruptedException interrupted) {
            CompletableFuture<Void> unused = answer.thenAccept(unwanted -> unwanted.cancel(0));
            answer.cancel(false);
            throw interrupted;
        }
        return decided(reserved, failure, maxWaitNanos, began).await();
    }

    private CompletableFuture<StoreReservation> reserveInStore(long maxWaitNanos) {
        return Futures.attempt(() -> first.store.reserveAsync(requests, maxWaitNanos));
    }

    /** Reserves all requests, or returns the denial; by the limiters' failure policies if the store fails. */
    Reservation reserve(Duration maxWait) {
        long maxWaitNanos = Durations.nonNegativeNanos("maxWait", maxWait);
        long began = startOf(maxWaitNanos);
        StoreReservation reservation;
        try {
            reservation = first.store.reserve(requests, maxWaitNanos);
        } catch (StoreException failure) {
            return byPolicy(failure, rest(maxWaitNanos, began));
        }
        return decided(reservation, true);
    }

    private long startOf(long maxWaitNanos) {
        return maxWaitNanos == 0 ? 0 : first.timeSource().nanos();
    }

    /** Returns what is left of a wait: a store may use some of it before it fails. */
    private long rest(long maxWaitNanos, long began) {
        return maxWaitNanos == 0
                ? 0
                : Math.max(0, maxWaitNanos - Math.max(0, first.timeSource().nanos() - began));
    }

    /** Reserves without blocking. Dependents run on the limiter's executor unless the result is there already. */
    CompletableFuture<Reservation> reserveAsync(Duration maxWait) {
        return decideAsync(maxWait, (reservation, result) -> {
            if (!result.complete(reservation)) { // it was cancelled before: nobody will use the permits
                reservation.cancel();
            }
        });
    }

    /** Acquires without blocking. If someone completes the future before it is due, the reservation is cancelled. */
    CompletableFuture<Decision> acquireAsync(Duration maxWait) {
        return decideAsync(maxWait, Reservation::completeWhenDue);
    }

    /** Returns a future that is given the reservation to complete it: on the limiter's executor unless it is there already. */
    private <T> CompletableFuture<T> decideAsync(
            Duration maxWait, BiConsumer<Reservation, CompletableFuture<T>> completion) {
        long maxWaitNanos = Durations.nonNegativeNanos("maxWait", maxWait);
        long began = startOf(maxWaitNanos);
        CompletableFuture<StoreReservation> answer = reserveInStore(maxWaitNanos);
        CompletableFuture<T> result = new CompletableFuture<>();
        if (!answer.isDone()) { // what is cancelled before need not be sent
            CompletableFuture<T> unusedToo = result.whenComplete((value, cancelled) -> answer.cancel(false));
        }
        CompletableFuture<StoreReservation> unused = Futures.on(first.executor, answer)
                .whenComplete((reserved, failure) -> {
                    try {
                        completion.accept(decided(reserved, failure, maxWaitNanos, began), result);
                    } catch (RuntimeException | Error undecided) { // else the future stays incomplete
                        result.completeExceptionally(Futures.cause(undecided));
                        if (reserved == null) { // but there is a reservation if only the executor rejected the task
                            CompletableFuture<Void> unusedToo = answer.thenAccept(rejected -> rejected.cancel(0));
                        }
                    }
                });
        return result;
    }

    private Reservation decided(
            @Nullable StoreReservation reserved, @Nullable Throwable failure, long maxWaitNanos, long began) {
        if (reserved != null) {
            return decided(reserved, true);
        }
        Throwable cause = Futures.cause(Objects.requireNonNull(failure));
        if (cause instanceof StoreException storeFailure) {
            return byPolicy(storeFailure, rest(maxWaitNanos, began));
        }
        throw Futures.unchecked(cause);
    }

    private Reservation decided(StoreReservation reservation, boolean byStore) {
        notifyDecided(reservation.decision(), byStore);
        return new Reservation(requests, reservation, first.timeSource(), first.waitExecutor);
    }

    /** Notifies the listeners of each limiter of what was decided on its request. */
    private void notifyDecided(Decision decision, boolean byStore) {
        boolean joint = requests.size() > 1;
        if (joint
                && requests.stream()
                        .allMatch(request -> limiter(request).listeners.isEmpty())) {
            return; // the statuses need not be computed
        }
        List<Status> statuses = joint ? decision.statuses() : List.of();
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            LimiterBase limiter = limiter(request);
            if (byStore && decision.degraded()) {
                limiter.notifyFull(request.key());
            }
            Optional<Decision> own = joint ? Decisions.part(decision, statuses, i) : Optional.of(decision);
            own.ifPresent(part -> limiter.notifyDecided(request.key(), request.permits(), part));
        }
    }

    /** One policy of all limiters decides as the store would; else each decides its own requests, one after the other, without waits. */
    private Reservation byPolicy(StoreException failure, long maxWaitNanos) {
        requests.forEach(request -> limiter(request).notifyFailed(request.key(), failure));
        if (requests.stream().allMatch(request -> limiter(request).failurePolicy.equals(first.failurePolicy))) {
            return decided(first.fallback.reserve(requests, maxWaitNanos), false);
        }
        List<StoreReservation> parts = requests.stream()
                .map(request -> limiter(request).fallback.reserve(List.of(request), 0))
                .toList();
        List<Decision> decisions =
                parts.stream().map(StoreReservation::decision).toList();
        List<List<Integer>> positions =
                IntStream.range(0, parts.size()).mapToObj(List::of).toList();
        StoreReservation all = StoreReservation.of(Decisions.combine(decisions, positions), parts);
        if (!all.decision().allowed()) {
            all.cancel(0);
        }
        return decided(all, false);
    }
}
