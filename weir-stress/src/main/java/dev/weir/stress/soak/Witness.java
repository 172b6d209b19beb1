package dev.weir.stress.soak;

import dev.weir.Clock;
import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.store.Booking;
import dev.weir.store.Claim;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.util.List;
import java.util.function.Function;

/**
 * Stands between the limiters and a store, and notes for each thread what its last call was given: the clock's reading,
 * and the limits. So the checker need not guess either, although the limits change while threads decide.
 */
final class Witness implements Store {
    private final long origin = System.nanoTime();
    private final ThreadLocal<Call> calls = ThreadLocal.withInitial(Call::new);
    private final Store store;

    /** What one thread's last call was given. */
    static final class Call {
        long reading;
        List<Claim> claims = List.of();
    }

    /** Before a store on this witness's clock. */
    Witness(Function<Clock, Store> store) {
        this.store = store.apply(this::read);
    }

    private long read() {
        long now = now();
        calls.get().reading = now;
        return now;
    }

    /** The time on the store's clock, without a note. */
    long now() {
        return System.nanoTime() - origin;
    }

    /** The calling thread's notes: always the same object. */
    Call call() {
        return calls.get();
    }

    /** How many keys the store has a state for; 0 if it does not tell. */
    int keys() {
        return store instanceof MemoryStore memory ? memory.keys() : 0;
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        calls.get().claims = List.of(new Claim(limiter, limits, key, permits));
        return store.decide(limiter, limits, key, permits);
    }

    @Override
    public Booking book(List<Claim> claims, long maxWaitNanos) {
        calls.get().claims = claims;
        return store.book(claims, maxWaitNanos);
    }

    @Override
    public Decision peek(Claim claim) {
        calls.get().claims = List.of(claim);
        return store.peek(claim);
    }

    @Override
    public void reset(Claim claim) {
        store.reset(claim);
    }

    @Override
    public void block(Claim claim, long nanos) {
        store.block(claim, nanos);
    }

    @Override
    public void close() {
        store.close();
    }
}
