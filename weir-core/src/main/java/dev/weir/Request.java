package dev.weir;

import static dev.weir.internal.OccasionalLog.shown;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request for permits: a limiter, its limits for a key, the key, and the number of permits. Made by {@link
 * RateLimiter#request}, to be decided together with others; stores receive every request in this form. Immutable and
 * thread-safe.
 */
public final class Request {
    private final String limiter;
    private final Limits limits;
    private final String key;
    private final long permits;
    private final @Nullable Owner owner;
    private final boolean ownLimits; // given for this request, whatever those of the limiter are

    /** A limiter, as its requests need it. */
    abstract static class Owner {
        abstract Limits limits(String key);

        abstract void notifyRefunded(String key, long permits, long timeNanos);
    }

    Request(String limiter, Limits limits, String key, long permits, @Nullable Owner owner, boolean ownLimits) {
        this.limiter = limiter;
        this.limits = limits;
        this.key = key;
        this.permits = Checks.permits(permits);
        this.owner = owner;
        this.ownLimits = ownLimits;
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
        return new Request(limiter, limits, Checks.key(key), permits, null, false);
    }

    /** {@return the name of the limiter, which separates its keys from those of others in the same store} */
    public String limiter() {
        return limiter;
    }

    /** {@return the limits of the key; a limiter decides with those in force at the time, unless the request has its own} */
    public Limits limits() {
        return limits;
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

    /** Returns this request with the limits that are in force now. */
    Request current() {
        return ownLimits ? this : with(owner().limits(key));
    }

    Request with(Limits limits) {
        return limits.equals(this.limits) ? this : new Request(limiter, limits, key, permits, owner, ownLimits);
    }

    @Override
    public String toString() {
        return "Request[limiter=" + limiter + ", key=" + shown(key) + ", permits=" + permits + "]";
    }
}
