package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.store.Booking;
import dev.weir.store.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * A joint booking on keys of different slots, which no script of a cluster can decide on at once. All are looked at first;
 * then they are booked slot after slot, in an order that is the same for everyone, and given back if one refuses after all.
 * None waits: the clocks differ. What another caller is denied meanwhile may be denied in vain.
 */
final class SlotBySlot {
    private final BiFunction<List<Claim>, Boolean, CompletableFuture<RedisBooking>> ask;
    private final List<List<Claim>> slots;

    /** Claims by their slots, in the order of booking; asked to look, or to book. */
    SlotBySlot(List<List<Claim>> slots, BiFunction<List<Claim>, Boolean, CompletableFuture<RedisBooking>> ask) {
        this.slots = slots;
        this.ask = ask;
    }

    /** All of them, or a denial. */
    CompletableFuture<Booking> book() {
        List<CompletableFuture<RedisBooking>> looks =
                slots.stream().map(claims -> ask.apply(claims, true)).toList();
        return CompletableFuture.allOf(looks.toArray(CompletableFuture<?>[]::new))
                .thenCompose(all -> {
                    List<Decision> seen =
                            looks.stream().map(look -> look.join().decision()).toList();
                    return seen.stream().allMatch(Decision::allowed)
                            ? book(new ArrayList<>())
                            : CompletableFuture.completedFuture(new Several(denied(seen), List.of()));
                });
    }

    private CompletableFuture<Booking> book(List<Booking> booked) {
        if (booked.size() == slots.size()) {
            return CompletableFuture.completedFuture(new Several(allowed(booked), booked));
        }
        CompletableFuture<Booking> next = ask.apply(slots.get(booked.size()), false)
                .thenCompose(booking -> {
                    if (booking.decision().allowed()) {
                        booked.add(booking);
                        return book(booked);
                    }
                    booked.forEach(before -> before.giveBackRest(0));
                    return CompletableFuture.completedFuture(booking);
                });
        return booked.isEmpty() ? next : givingBack(next, List.copyOf(booked));
    }

    /** A slot that fails to answer gives back those before it. */
    private static CompletableFuture<Booking> givingBack(CompletableFuture<Booking> next, List<Booking> before) {
        Booking last = before.get(before.size() - 1);
        return next.whenComplete((booking, failure) -> {
            if (failure != null) {
                last.giveBackRest(0);
            }
        });
    }

    /** The denial with the longest wait. */
    private static Decision denied(List<Decision> seen) {
        Decision longest = seen.get(0);
        long remaining = Long.MAX_VALUE;
        for (Decision decision : seen) {
            remaining = Math.min(remaining, decision.remaining());
            if (!decision.allowed() && (longest.allowed() || decision.retryAfterNanos() > longest.retryAfterNanos())) {
                longest = decision;
            }
        }
        return new Decision(
                false, longest.limit(), remaining, 0, longest.retryAfterNanos(), longest.resetAfterNanos(), false);
    }

    /** The decision of the tightest. */
    private static Decision allowed(List<Booking> booked) {
        Decision tightest = booked.get(0).decision();
        for (Booking booking : booked) {
            if (booking.decision().remaining() < tightest.remaining()) {
                tightest = booking.decision();
            }
        }
        return tightest;
    }

    private record Several(Decision decision, List<Booking> bookings) implements Booking {
        @Override
        public void giveBack(long permits) {
            bookings.forEach(booking -> booking.giveBack(permits));
        }

        @Override
        public void giveBackRest(long before) {
            bookings.forEach(booking -> booking.giveBackRest(before));
        }
    }
}
