package dev.weir.redis;

import dev.weir.Accounting.Method;
import dev.weir.Decision;
import dev.weir.Request;
import dev.weir.internal.Decisions;
import dev.weir.internal.Futures;
import dev.weir.store.StoreReservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A joint reservation on keys of different slots, on which no script of a cluster can decide at once. First it peeks at all of
 * them; then it reserves them slot by slot, in an order that is the same for all callers, and refunds them if one is denied
 * after all. Where attempts count, which a peek does not record, it reserves at once; a refund keeps the attempt. It never waits,
 * because the clocks of the servers differ. Meanwhile another caller may be denied for no lasting reason.
 */
final class CrossSlotReservation {
    private final List<Part> parts;
    private final KeyCommands commands;
    private final Batcher batcher;
    private final CompletableFuture<StoreReservation> result = new CompletableFuture<>();

    /**
     * The requests on keys of one slot.
     *
     * @param positions their positions in the joint request
     */
    record Part(List<Request> requests, List<Integer> positions) {
        private boolean countsAttempts() {
            return requests.stream()
                    .flatMap(request -> request.limits().list().stream())
                    .anyMatch(limit -> limit.accounting().method() == Method.LOG_OF_ATTEMPTS);
        }
    }

    /** Takes the parts in the order of reserving. */
    CrossSlotReservation(List<Part> parts, KeyCommands commands, Batcher batcher) {
        this.parts = parts;
        this.commands = commands;
        this.batcher = batcher;
    }

    /** Splits requests by the slots of their keys. */
    static List<Part> parts(List<Request> requests, Keys keys) {
        Map<Integer, Part> bySlot = new TreeMap<>();
        IntStream.range(0, requests.size())
                .boxed()
                .sorted(Comparator.comparing((Integer i) -> requests.get(i).limiter())
                        .thenComparing(i -> requests.get(i).key()))
                .forEach(i -> {
                    int slot = Keys.slot(keys.of(List.of(requests.get(i))));
                    Part part = bySlot.computeIfAbsent(slot, s -> new Part(new ArrayList<>(), new ArrayList<>()));
                    part.requests().add(requests.get(i));
                    part.positions().add(i);
                });
        return List.copyOf(bySlot.values());
    }

    /** Reserves all requests, or returns the denial. If the future is cancelled, so is what was reserved, and no further part is. */
    CompletableFuture<StoreReservation> reserve() {
        CompletableFuture<StoreReservation> unused = peekAndReserve().whenComplete((reservation, failure) -> {
            if (failure != null) {
                result.completeExceptionally(Futures.cause(failure));
            } else if (!result.complete(reservation)) {
                reservation.cancel(0);
            }
        });
        return result;
    }

    private CompletableFuture<StoreReservation> peekAndReserve() {
        List<CompletableFuture<? extends StoreReservation>> known = new ArrayList<>();
        parts.forEach(part -> known.add(look(part)));
        return CompletableFuture.allOf(known.toArray(CompletableFuture<?>[]::new))
                .thenCompose(all -> reserve(known, 0))
                .whenComplete((reservation, failure) -> {
                    if (failure != null || !reservation.decision().allowed()) {
                        known.forEach(CrossSlotReservation::cancel);
                    }
                });
    }

    private static void cancel(CompletableFuture<? extends StoreReservation> part) {
        CompletableFuture<Void> unused = part.thenAccept(reservation -> reservation.cancel(0));
    }

    /** Returns what a part would be answered, which reserves nothing; or its reservation if attempts count. */
    private CompletableFuture<? extends StoreReservation> look(Part part) {
        return part.countsAttempts()
                ? batcher.decide(part.requests, 0, false)
                : Futures.attempt(() -> commands.peek(part.requests))
                        .thenApply(decision -> StoreReservation.of(decision, List.of()));
    }

    /**
     * Reserves the parts from a position on, unless one of all is denied or nobody waits any more. What is known of a part is replaced by
     * its reservation.
     */
    private CompletableFuture<StoreReservation> reserve(
            List<CompletableFuture<? extends StoreReservation>> known, int next) {
        List<? extends StoreReservation> seen =
                known.stream().map(CompletableFuture::join).toList();
        List<Decision> decisions = seen.stream().map(StoreReservation::decision).toList();
        boolean allowed = decisions.stream().allMatch(Decision::allowed);
        if (!allowed || next == known.size() || result.isDone()) {
            return CompletableFuture.completedFuture(
                    StoreReservation.of(combined(decisions), allowed ? seen : List.of()));
        }
        if (parts.get(next).countsAttempts()) {
            return reserve(known, next + 1);
        }
        return batcher.decide(parts.get(next).requests, 0, false).thenCompose(reservation -> {
            known.set(next, CompletableFuture.completedFuture(reservation));
            return reserve(known, next + 1);
        });
    }

    private Decision combined(List<Decision> decisions) {
        return Decisions.combine(decisions, parts.stream().map(Part::positions).toList());
    }
}
