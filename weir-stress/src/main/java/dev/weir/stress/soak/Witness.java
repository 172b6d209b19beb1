package dev.weir.stress.soak;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Records what the last call of each thread was given: the reading of the time source, and the limits. So the checker need not guess
 * either, although the limits change while threads decide.
 */
final class Witness extends ForwardingStore {
    private static final long ORIGIN = System.nanoTime();
    private static final ThreadLocal<Call> CALLS = ThreadLocal.withInitial(Call::new);

    /** What one thread's last call was given. */
    static final class Call {
        long reading;
        List<Request> requests = List.of();
    }

    /** Creates a witness in front of a store whose readings it records. */
    Witness(Function<TimeSource, Store> store) {
        super(store.apply(Witness::reading));
    }

    private static long reading() {
        long now = System.nanoTime() - ORIGIN;
        CALLS.get().reading = now;
        return now;
    }

    /** Returns the time on the store's clock, without recording it. */
    long now() {
        return System.nanoTime() - ORIGIN;
    }

    /** Returns the records of the calling thread: always the same object. */
    Call call() {
        return CALLS.get();
    }

    /** Returns the number of keys for which the store has a state; 0 if it does not report it. */
    int keys() {
        return store.statistics().keys().orElse(0);
    }

    /** For the limiters, whose readings are not those of a decision. */
    @Override
    public TimeSource timeSource() {
        return this::now;
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        call().requests = List.of(Request.of(limiter, limits, key, permits));
        return super.decide(limiter, limits, key, permits);
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        call().requests = requests;
        return super.reserve(requests, maxWaitNanos);
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        call().requests = List.of(request);
        return super.peekAsync(request);
    }
}
