package dev.weir.stress.races;

import dev.weir.Decision;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.StoreReservation;
import dev.weir.stress.soak.ForwardingStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A store that ignores blocks and cancels. */
public final class DeafStore extends ForwardingStore {
    public DeafStore(TimeSource timeSource, Room room) {
        super(room.memoryStore(timeSource));
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        StoreReservation reservation = store.reserve(requests, maxWaitNanos);
        return new StoreReservation() {
            @Override
            public Decision decision() {
                return reservation.decision();
            }

            @Override
            public void refund(long permits) {
                reservation.refund(permits);
            }

            @Override
            public void cancel(long refunded) {}
        };
    }

    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        return CompletableFuture.completedFuture(null);
    }
}
