package dev.weir.stress.soak;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Stands between the limiters and a store, and records for each thread what its last call was given: the reading of the time
 * source, and the limits. So the checker need not guess either, although the limits change while threads decide.
 */
final class Witness implements Store {
    private final long origin = System.nanoTime();
    private final ThreadLocal<Call> calls = ThreadLocal.withInitial(Call::new);
    private final Store store;

    /** What one thread's last call was given. */
    static final class Call {
        long reading;
        List<Request> requests = List.of();
    }

    /** Creates a witness in front of a store on this witness's time. */
    Witness(Function<TimeSource, Store> store) {
        this.store = store.apply(this::read);
    }

    private long read() {
        long now = now();
        calls.get().reading = now;
        return now;
    }

    /** Returns the time on the store's clock, without recording it. */
    long now() {
        return System.nanoTime() - origin;
    }

    /** Returns the records of the calling thread: always the same object. */
    Call call() {
        return calls.get();
    }

    /** Returns the number of keys for which the store has a state; 0 if it does not report it. */
    int keys() {
        return store instanceof MemoryStore memory ? memory.keys() : 0;
    }

    /** For the limiters, whose readings are not those of a decision. */
    @Override
    public TimeSource timeSource() {
        return this::now;
    }

    @Override
    public void check(Limits limits) {
        store.check(limits);
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        calls.get().requests = List.of(Request.of(limiter, limits, key, permits));
        return store.decide(limiter, limits, key, permits);
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        calls.get().requests = requests;
        return store.reserve(requests, maxWaitNanos);
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        calls.get().requests = List.of(request);
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
