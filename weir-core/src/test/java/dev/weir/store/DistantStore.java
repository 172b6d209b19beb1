package dev.weir.store;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A store in memory that can fail, and whose replies can be delayed. */
class DistantStore implements Store {
    TimeSource timeSource;
    boolean down;
    CompletableFuture<Void> arrival = CompletableFuture.completedFuture(null);

    private final Store memory;

    DistantStore(TimeSource timeSource) {
        this.timeSource = timeSource;
        this.memory = MemoryStore.builder().timeSource(timeSource).build();
    }

    private Store memory() {
        if (down) {
            throw new StoreException("down");
        }
        return memory;
    }

    @Override
    public TimeSource timeSource() {
        return timeSource;
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        return memory().decide(limiter, limits, key, permits);
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        return memory().reserve(requests, maxWaitNanos);
    }

    @Override
    public CompletableFuture<StoreReservation> reserveAsync(List<Request> requests, long maxWaitNanos) {
        return arrival.thenApply(there -> reserve(requests, maxWaitNanos));
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        return arrival.thenCompose(there -> memory().peekAsync(request));
    }

    @Override
    public CompletableFuture<Void> resetAsync(Request request) {
        return memory().resetAsync(request);
    }

    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        return memory().blockAsync(request, nanos);
    }

    @Override
    public CompletableFuture<Void> unblockAsync(Request request) {
        return memory().unblockAsync(request);
    }

    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        return memory().inspectAsync(request, maxRuns);
    }

    @Override
    public void close() {
        memory.close();
    }
}
