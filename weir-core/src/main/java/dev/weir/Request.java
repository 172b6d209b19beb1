package dev.weir;

import static dev.weir.internal.Spelling.shown;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request for permits: a limiter, a key, its limits, and the number of permits. Made by {@link
 * RateLimiter#request}, to be decided together with others; stores receive every request in this form. Immutable and
 * thread-safe.
 */
public final class Request {
    private final String limiter;
    private final @Nullable Limits limits; // null: those that the limiter has for the key when it is decided
    private final String key;
    private final long permits;
    private final @Nullable Owner owner;

    /** A limiter, as its requests need it. */
    abstract static class Owner {
        abstract Limits limits(String key);

        abstract void notifyRefunded(String key, long permits, long timeNanos);
    }

    Request(String limiter, @Nullable Limits limits, String key, long permits, @Nullable Owner owner) {
        this.limiter = limiter;
        this.limits = limits;
        this.key = key;
        this.permits = Checks.permits(permits);
        this.owner = owner;
    }

    /**
     * {@return a request that belongs to no limiter, for implementations of {@link dev.weir.store.Store} and their tests; {@link
     * RateLimiter#tryAcquireAll} does not accept it}
     * @param limiter the name of a limiter
     * @param limits the limits
     * @param key the key
     * @param permits the number of permits, at least 1
     */
    public static Request of(String limiter, Limits limits, String key, long permits) {
        Objects.requireNonNull(limiter, "limiter must not be null");
        Objects.requireNonNull(limits, "limits must not be null");
        return new Request(limiter, limits, Checks.key(key), permits, null);
    }

    /** {@return the name of the limiter, which separates its keys from those of others in the same store} */
    public String limiter() {
        return limiter;
    }

    /** {@return the limits of the request, if it has its own, else those that its limiter has for the key now} */
    public Limits limits() {
        return limits != null ? limits : owner().limits(key);
    }

    /** {@return the key} */
    public String key() {
        return key;
    }

    /** {@return the number of permits, at least 1} */
    public long permits() {
        return permits;
    }

    /** Returns the limiter that made this request. */
    Owner owner() {
        if (owner == null) {
            throw new IllegalArgumentException("requests must be made by RateLimiter.request, was " + this);
        }
        return owner;
    }

    /** Returns this request with the limits that are in force now, which it keeps. */
    Request current() {
        return limits != null ? this : new Request(limiter, owner().limits(key), key, permits, owner);
    }

    @Override
    public String toString() {
        return "Request[limiter=" + limiter + ", key=" + shown(key) + ", permits=" + permits + "]";
    }
}
