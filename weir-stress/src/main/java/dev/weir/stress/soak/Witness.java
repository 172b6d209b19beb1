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
    private final Clock clock;

    /** What one thread's last call was given. */
    static final class Call {
        long reading;
        List<Request> requests = List.of();
    }

    /** The time of the store, which records each reading. */
    private static final class Clock implements TimeSource {
        final long origin = System.nanoTime();
        final ThreadLocal<Call> calls = ThreadLocal.withInitial(Call::new);

        long now() {
            return System.nanoTime() - origin;
        }

        @Override
        public long nanos() {
            long now = now();
            calls.get().reading = now;
            return now;
        }
    }

    /** Creates a witness in front of a store on this witness's time. */
    Witness(Function<TimeSource, Store> store) {
        this(store, new Clock());
    }

    private Witness(Function<TimeSource, Store> store, Clock clock) {
        super(store.apply(clock));
        this.clock = clock;
    }

    /** Returns the time on the store's clock, without recording it. */
    long now() {
        return clock.now();
    }

    /** Returns the records of the calling thread: always the same object. */
    Call call() {
        return clock.calls.get();
    }

    /** Returns the number of keys for which the store has a state; 0 if it does not report it. */
    int keys() {
        return store.statistics().keys().orElse(0);
    }

    /** For the limiters, whose readings are not those of a decision. */
    @Override
    public TimeSource timeSource() {
        return clock::now;
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
