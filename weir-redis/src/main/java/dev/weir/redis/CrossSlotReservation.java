package dev.weir.redis;

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
 * after all. It never waits, because the clocks of the servers differ. Meanwhile another caller may be denied for no lasting
 * reason.
 */
final class CrossSlotReservation {
    private final Steps steps;
    private final List<Part> parts;

    /**
     * The requests on keys of one slot.
     *
     * @param positions their positions in the joint request
     */
    record Part(List<Request> requests, List<Integer> positions) {}

    /** What a step does to the requests on keys of one slot. */
    interface Steps {
        /** Returns what the requests would be answered, and writes nothing. */
        CompletableFuture<Decision> peek(List<Request> requests);

        /** Reserves the requests without waiting, all or none. */
        CompletableFuture<? extends StoreReservation> reserve(List<Request> requests);
    }

    /** Takes the parts in the order of reserving. */
    CrossSlotReservation(List<Part> parts, Steps steps) {
        this.parts = parts;
        this.steps = steps;
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

    /** Reserves all requests, or returns the denial. If the future is cancelled, so is what was reserved. */
    CompletableFuture<StoreReservation> reserve() {
        CompletableFuture<StoreReservation> result = new CompletableFuture<>();
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
        List<CompletableFuture<Decision>> peeks =
                parts.stream().map(part -> steps.peek(part.requests)).toList();
        return CompletableFuture.allOf(peeks.toArray(CompletableFuture<?>[]::new))
                .thenCompose(all -> {
                    List<Decision> seen =
                            peeks.stream().map(CompletableFuture::join).toList();
                    return seen.stream().allMatch(Decision::allowed)
                            ? reserve(seen, new ArrayList<>())
                            : CompletableFuture.completedFuture(StoreReservation.of(combined(seen), List.of()));
                });
    }

    private CompletableFuture<StoreReservation> reserve(List<Decision> seen, List<StoreReservation> reserved) {
        if (reserved.size() == parts.size()) {
            Decision allowed =
                    combined(reserved.stream().map(StoreReservation::decision).toList());
            return CompletableFuture.completedFuture(StoreReservation.of(allowed, reserved));
        }
        int next = reserved.size();
        CompletableFuture<StoreReservation> rest = steps.reserve(parts.get(next).requests)
                .thenCompose(reservation -> {
                    if (reservation.decision().allowed()) {
                        reserved.add(reservation);
                        return reserve(seen, reserved);
                    }
                    reserved.forEach(before -> before.cancel(0));
                    List<Decision> decisions = new ArrayList<>(seen); // of the others, what they were before
                    decisions.set(next, reservation.decision());
                    return CompletableFuture.completedFuture(StoreReservation.of(combined(decisions), List.of()));
                });
        return next == 0 ? rest : cancellingIfFailed(rest, reserved.get(next - 1));
    }

    /** If the next slot does not answer, each slot before it is refunded, this one here. */
    private static CompletableFuture<StoreReservation> cancellingIfFailed(
            CompletableFuture<StoreReservation> rest, StoreReservation before) {
        return rest.whenComplete((reservation, failure) -> {
            if (failure != null) {
                before.cancel(0);
            }
        });
    }

    private Decision combined(List<Decision> decisions) {
        return Decisions.combine(decisions, parts.stream().map(Part::positions).toList());
    }
}
