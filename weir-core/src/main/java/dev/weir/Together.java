package dev.weir;

import dev.weir.RateLimiter.Request;
import dev.weir.store.Booking;
import dev.weir.store.Claim;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Requests that are decided together, on one store: all or none. */
final class Together {
    private final List<Request> requests;
    private final RateLimiter first;

    /** Checks that they can be. */
    Together(Request... requests) {
        Checks.range("requests", requests.length, 1, RateLimiter.MAX_TOGETHER);
        if (requests.length > 1) {
            check(requests);
        }
        this.requests = List.of(requests);
        this.first = requests[0].limiter;
    }

    private static void check(Request... requests) {
        Set<List<String>> seen = new HashSet<>();
        for (Request request : requests) {
            if (request.limiter.store != requests[0].limiter.store) {
                throw new IllegalArgumentException("requests decided together must be of limiters on one store");
            }
            if (!seen.add(List.of(request.limiter.name, request.key()))) {
                throw new IllegalArgumentException(
                        "a limiter and key may be there once; ask for more permits instead: limiter '"
                                + request.limiter.name + "'");
            }
        }
    }

    private List<Claim> claims() {
        return requests.stream().map(request -> request.claim).toList();
    }

    /** Books them, or is told why not; by the limiters' policies if the store fails. */
    Reservation reserve(long maxWaitNanos) {
        Booking booking;
        try {
            booking = first.store.book(claims(), maxWaitNanos);
        } catch (StoreException failure) {
            booking = byPolicy(failure, maxWaitNanos);
        }
        return told(booking);
    }

    /** Books them without a waiting thread. What depends on the answer runs on the limiter's executor, unless it is there. */
    CompletableFuture<Reservation> reserveAsync(long maxWaitNanos) {
        CompletableFuture<Booking> booking = first.store.bookAsync(claims(), maxWaitNanos);
        if (booking.isDone() && !booking.isCompletedExceptionally()) {
            return CompletableFuture.completedFuture(told(booking.join()));
        }
        if (booking.isDone()) {
            return booking.handle((booked, failure) -> told(booked, failure, maxWaitNanos));
        }
        CompletableFuture<Reservation> reserved = new CompletableFuture<>();
        CompletableFuture<Booking> unused = booking.whenComplete((booked, failure) -> {
            try {
                first.executor.execute(() -> tell(reserved, booked, failure, maxWaitNanos));
            } catch (RuntimeException rejected) {
                if (booked != null) {
                    booked.giveBackRest(0);
                }
                reserved.completeExceptionally(rejected);
            }
        });
        return reserved;
    }

    private void tell(
            CompletableFuture<Reservation> reserved,
            @Nullable Booking booked,
            @Nullable Throwable failure,
            long maxWaitNanos) {
        try {
            reserved.complete(told(booked, failure, maxWaitNanos));
        } catch (Throwable thrown) { // by a listener, or because nothing was decided
            reserved.completeExceptionally(thrown);
        }
    }

    private Reservation told(@Nullable Booking booked, @Nullable Throwable failure, long maxWaitNanos) {
        if (booked != null) {
            return told(booked);
        }
        Throwable why = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        if (why instanceof StoreException gone) {
            return told(byPolicy(gone, maxWaitNanos));
        }
        throw why instanceof RuntimeException fault ? fault : new CompletionException(why);
    }

    /** The reservation, once all listeners have heard; if one of them throws, nobody will hold it. */
    private Reservation told(Booking booking) {
        boolean told = false;
        try {
            for (Request request : requests) {
                request.limiter.tell(request.key(), request.permits(), booking.decision());
            }
            told = true;
        } finally {
            if (!told) {
                booking.giveBackRest(0);
            }
        }
        return new Reservation(requests, booking, first.clock, first.executor);
    }

    /** Each limiter's stand-in decides on its own requests; where they differ, one after the other and without waiting. */
    private Booking byPolicy(StoreException failure, long maxWaitNanos) {
        requests.forEach(request -> request.limiter.tellFailed(request.key(), failure));
        if (requests.stream().allMatch(request -> request.limiter == first)) {
            return first.standIn.book(claims(), maxWaitNanos);
        }
        InTurn booked = new InTurn(new ArrayList<>());
        for (Request request : requests) {
            Store standIn = request.limiter.standIn;
            booked.bookings.add(standIn.book(List.of(request.claim), 0));
            if (!booked.decision().allowed()) {
                booked.bookings.forEach(booking -> booking.giveBackRest(0));
                break;
            }
        }
        return booked;
    }

    /** Bookings made one after the other: the last tells how it went. */
    private record InTurn(List<Booking> bookings) implements Booking {
        @Override
        public Decision decision() {
            return bookings.get(bookings.size() - 1).decision();
        }

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
