package dev.weir;

import dev.weir.internal.Decisions;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A store that allows or denies everything and counts nothing: the fallback of an open or closed failure policy. */
final class UncountedStore implements Store {
    private final TimeSource timeSource;
    private final boolean allow;

    UncountedStore(TimeSource timeSource, boolean allow) {
        this.timeSource = timeSource;
        this.allow = allow;
    }

    @Override
    public TimeSource timeSource() {
        return timeSource;
    }

    private Decision decide(List<Request> requests) {
        return Decisions.uncounted(requests, allow, timeSource.nanos());
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        return decide(List.of(Request.of(limiter, limits, key, permits)));
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        return new Uncounted(decide(requests));
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        return CompletableFuture.completedFuture(decide(List.of(request)));
    }

    @Override
    public CompletableFuture<Void> resetAsync(Request request) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> unblockAsync(Request request) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        return CompletableFuture.completedFuture(
                new KeySnapshot(Instant.ofEpochSecond(0, timeSource.nanos()), null, false, List.of()));
    }

    @Override
    public void close() {}

    private record Uncounted(Decision decision) implements StoreReservation {
        @Override
        public void refund(long permits) {}

        @Override
        public void cancel(long refunded) {}
    }
}
