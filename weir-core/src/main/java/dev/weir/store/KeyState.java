package dev.weir.store;

import dev.weir.Limits;
import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.LimitState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one key: a {@link LimitState} for each limit, a block, and the time of the latest request. It is the state of a
 * limit itself and an entry of a {@link KeyTable}, so that a key with one limit is one object.
 *
 * <p>Guarded by its own lock, and so is every method that does not say otherwise.
 */
final class KeyState extends LockedState {
    private static final long BUSY_NANOS = 1_000; // between two requests for a key that several threads decide on

    final String limiter;
    final String key;
    final int hash;

    /** The next state of its bin in a {@link KeyTable}, which sets it. */
    volatile @Nullable KeyState next;

    private long last;
    private @Nullable CompiledLimits limits; // null until the first request
    private @Nullable Details details;

    /** Open until the lock is acquired. */
    private volatile Offer offer = Offer.NONE;

    /** What few keys need. */
    private static final class Details {
        LimitState @Nullable [] states; // of the limits, if there are several; the key state itself is the first
        List<DormantLimit> dormant = List.of();
        boolean blocked;
        long blockedUntil; // if blocked
    }

    KeyState(String limiter, String key, long now) {
        super(now);
        this.limiter = limiter;
        this.key = key;
        this.hash = hash(limiter, key);
        this.last = now;
    }

    /** Returns a copy in which all limits are dormant, to see what a request would find. */
    KeyState copy() {
        KeyState copy = new KeyState(limiter, key, last);
        copy.details().dormant = known(this).stream().map(DormantLimit::copy).toList();
        copy.block(last, blockedFor(last));
        return copy;
    }

    /** Returns a hash that spreads keys over the bins of a table. */
    static int hash(String limiter, String key) {
        int hash = 31 * limiter.hashCode() + key.hashCode();
        return hash ^ hash >>> 16;
    }

    /** Returns the open offer, or {@link Offer#NONE}. Needs no lock. */
    Offer offer() {
        return offer;
    }

    /** Acquires the lock and closes the offer. Returns false if this state is retired. */
    boolean enter() {
        return lock(false) && closeOffer();
    }

    /** Acquires the lock as {@link #enter()} does, for a request that read the time just now. */
    boolean enter(long reading) {
        return lock(reading - last < BUSY_NANOS) && closeOffer(); // a race on the time is benign: it is a hint
    }

    /** Acquires the lock as {@link #enter()} does, if it is free. */
    boolean tryEnter() {
        return tryLock() && closeOffer();
    }

    private boolean closeOffer() {
        Offer open = offer;
        if (open != Offer.NONE) {
            try {
                record(open);
            } catch (Throwable failure) { // no memory: the next thread that acquires the lock records it, maybe twice
                unlock();
                throw failure;
            }
        }
        return true;
    }

    private void record(Offer open) {
        long granted = open.close();
        advanceTo(open.grantedAt());
        for (int i = 0; granted > 0 && i < size(); i++) {
            algorithm(i).grant(state(i), last, granted);
        }
        offer = Offer.NONE;
    }

    /** Acquires the lock for one step. Does nothing if this state is retired: there is nothing to change. */
    void change(Consumer<KeyState> step) {
        if (enter()) {
            try {
                step.accept(this);
            } finally {
                unlock();
            }
        }
    }

    /** Opens an offer, until the lock is acquired again. */
    void open(Offer made) {
        offer = made;
    }

    /** Returns the time of the latest request; once this state is retired, it needs no lock. */
    long last() {
        return last;
    }

    /** Returns the time of a request: a reading, but not before the latest request. */
    long timeAt(long reading) {
        return reading - last >= 0 ? reading : last;
    }

    /**
     * Sets the time of the latest request, unless it is later. After a step that nothing outlasts, forgets all grants: the
     * difference of two instants may overflow then.
     */
    void advanceTo(long time) {
        long now = timeAt(time);
        if (now - last > 2 * Algorithm.MAX_WAIT) {
            for (int i = 0; i < size(); i++) {
                state(i).clear(now);
            }
            dormant().forEach(one -> one.state().clear(now));
        }
        last = now;
    }

    // The limits.

    /** Returns whether the latest request was under these limits. */
    boolean isUnder(Limits requested) {
        return limits != null && requested.equals(limits.limits);
    }

    /** Returns the only algorithm if the latest request was under these limits and there is nothing else; else null. */
    @Nullable
    Algorithm onlyAlgorithm(Limits requested) {
        return details == null && limits != null && requested.equals(limits.limits) ? limits.first : null;
    }

    /** Sets the time of a request, and removes details that no longer affect decisions. */
    void start(long now) {
        advanceTo(now);
        if (details == null) {
            return;
        }
        if (!details.dormant.isEmpty()) {
            details.dormant =
                    details.dormant.stream().filter(one -> !one.isIdle(now)).toList();
        }
        if (details.states == null && details.dormant.isEmpty() && blockedFor(now) == 0) {
            details = null;
        }
    }

    /** Sets the limits and their states but the first, which is this one, and the limits to be kept for requests that may come. */
    void set(CompiledLimits limits, LimitState[] states, List<DormantLimit> dormant) {
        if (states.length > 1 || !dormant.isEmpty() || details != null) {
            details().states = states.length > 1 ? states : null;
            details().dormant = dormant;
        }
        this.limits = limits;
    }

    List<DormantLimit> dormant() {
        return details == null ? List.of() : details.dormant;
    }

    /**
     * Returns all limits: the dormant ones, then those of the latest request.
     *
     * @param first the state of the first of these
     */
    List<DormantLimit> known(LimitState first) {
        List<DormantLimit> known = new ArrayList<>(dormant());
        for (int i = 0; i < size(); i++) {
            known.add(new DormantLimit(limits().limits.nameOf(i), algorithm(i), i == 0 ? first : state(i)));
        }
        return known;
    }

    /** Returns the number of limits of the latest request. */
    int size() {
        return limits == null ? 0 : limits.size();
    }

    Algorithm algorithm(int i) {
        return limits().algorithm(i);
    }

    LimitState state(int i) {
        return i == 0 ? this : Objects.requireNonNull(details().states)[i];
    }

    private CompiledLimits limits() {
        return Objects.requireNonNull(limits, "no request has come yet");
    }

    private Details details() {
        if (details == null) {
            details = new Details();
        }
        return details;
    }

    // Blocks.

    /** Denies all requests for the given duration, or for 146 years: a longer wait could be {@link Algorithm#NEVER}. */
    void block(long now, long nanos) {
        if (nanos > blockedFor(now)) {
            details().blocked = true;
            details().blockedUntil = now + Math.min(nanos, 2 * Algorithm.MAX_WAIT);
        }
    }

    void unblock() {
        if (details != null) {
            details.blocked = false;
        }
    }

    /** Returns the wait until the block ends; zero if there is none. */
    long blockedFor(long now) {
        return details == null || !details.blocked ? 0 : Math.max(0, details.blockedUntil - now);
    }

    // Removal.

    /** Forgets all grants, limits and the block. Refunds of earlier reservations have no effect. */
    void reset(long reading) {
        advanceTo(reading);
        limits = null; // so that the next request starts with empty states
        details = null;
    }

    /** Returns whether nothing affects later decisions. */
    boolean isIdle(long now) {
        for (int i = 0; i < size(); i++) {
            if (!algorithm(i).isIdle(state(i), now)) {
                return false;
            }
        }
        return blockedFor(now) == 0 && dormant().stream().allMatch(one -> one.isIdle(now));
    }

    /**
     * Retires this state if it is idle and no request is expected; the caller then removes it from the table. A state
     * without limits has been created for a request that is expected within a second.
     */
    boolean retireIfIdle(long reading) {
        long now = timeAt(reading);
        boolean expected = limits == null && details == null && now - last < 1_000_000_000;
        if (expected || !isIdle(now)) {
            return false;
        }
        last = now;
        retire();
        return true;
    }
}
