package dev.weir.stress.soak;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Forwards every call to another store, which accepts all limits. */
public class ForwardingStore implements Store {
    /** The other store. */
    protected final Store store;

    /** Forwards to a store. */
    protected ForwardingStore(Store store) {
        this.store = store;
    }

    @Override
    public TimeSource timeSource() {
        return store.timeSource();
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        return store.decide(limiter, limits, key, permits);
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        return store.reserve(requests, maxWaitNanos);
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        return store.peekAsync(request);
    }

    @Override
    public CompletableFuture<Void> resetAsync(Request request) {
        return store.resetAsync(request);
    }

    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        return store.blockAsync(request, nanos);
    }

    @Override
    public CompletableFuture<Void> unblockAsync(Request request) {
        return store.unblockAsync(request);
    }

    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        return store.inspectAsync(request, maxRuns);
    }

    @Override
    public void close() {
        store.close();
    }
}
