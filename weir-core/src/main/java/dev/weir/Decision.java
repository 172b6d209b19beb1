package dev.weir;

import static dev.weir.internal.Durations.wholeSeconds;

import dev.weir.internal.Durations;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request, or to several that were decided together. A denial is a value, not an exception. Immutable and
 * thread-safe; equality ignores the time of the decision. Factories refuse negative numbers and durations with {@link
 * IllegalArgumentException}.
 *
 * <p>Example: 5 permits per 10 s, all five granted at 0 s; at 4 s one more is requested. {@code allowed} is false, {@code limit}
 * is {@code sliding-log 5/10s}, {@code remaining} is 0, {@code retryAfter} and {@code resetAfter} are 6 s.
 */
public final class Decision {
    private static final long NEVER = Long.MAX_VALUE;

    private final boolean allowed;
    private final boolean degraded;
    private final boolean blocked;
    private final Limit limit;
    private final @Nullable Function<? super Decision, List<Status>> statuses; // null: the one that this decision shows
    private final long remaining;
    private final long delayNanos; // the wait if allowed, else retry-after
    private final long resetAfterNanos;
    private final long timeNanos;

    private Decision(
            long timeNanos,
            boolean allowed,
            Limit limit,
            long remaining,
            long delayNanos,
            long resetAfterNanos,
            boolean degraded,
            boolean blocked,
            @Nullable Function<? super Decision, List<Status>> statuses) {
        this.timeNanos = timeNanos;
        this.allowed = allowed;
        this.limit = limit;
        this.remaining = remaining;
        this.delayNanos = delayNanos;
        this.resetAfterNanos = resetAfterNanos;
        this.degraded = degraded;
        this.blocked = blocked;
        this.statuses = statuses;
    }

    /** Checks before the object is created, so that the compiler needs no write barriers and does not clear the memory first. */
    private static Decision checked(
            long timeNanos, boolean allowed, Limit limit, long remaining, long delayNanos, long resetAfterNanos) {
        Objects.requireNonNull(limit, "limit must not be null");
        if ((remaining | delayNanos | resetAfterNanos) < 0) {
            throw new IllegalArgumentException(
                    "remaining, wait, retry-after and reset-after must not be negative, were " + remaining + ", "
                            + delayNanos + ", " + resetAfterNanos);
        }
        return new Decision(timeNanos, allowed, limit, remaining, delayNanos, resetAfterNanos, false, false, null);
    }

    /**
     * {@return an allowed decision, for tests of code that uses a limiter}
     * @param limit the most restrictive limit
     * @param remaining the permits that remain, zero or more
     * @param waitTime how long the request must wait, zero or more
     * @param resetAfter the time until the limit is as if unused, zero or more
     */
    public static Decision allowed(Limit limit, long remaining, Duration waitTime, Duration resetAfter) {
        long wait = Durations.nonNegativeNanos("waitTime", waitTime);
        return allowed(limit, remaining, wait, Durations.nonNegativeNanos("resetAfter", resetAfter), 0);
    }

    /**
     * {@return a denial, for tests of code that uses a limiter}
     * @param limit the limit that denied the request
     * @param remaining the permits that remain, zero or more
     * @param retryAfter the time until the same request is allowed; {@link Long#MAX_VALUE} ns (292 years) or more stands for never
     * @param resetAfter the time until the limit is as if unused, zero or more
     */
    public static Decision denied(Limit limit, long remaining, Duration retryAfter, Duration resetAfter) {
        long retry = Durations.nonNegativeNanos("retryAfter", retryAfter);
        return denied(limit, remaining, retry, Durations.nonNegativeNanos("resetAfter", resetAfter), 0);
    }

    /**
     * {@return an allowed decision, for implementations of {@link dev.weir.store.Store}}
     * @param limit the most restrictive limit
     * @param remaining the permits that remain
     * @param waitNanos how long the request must wait, in nanoseconds
     * @param resetAfterNanos the time until the limit is as if unused, in nanoseconds
     * @param timeNanos the time of the decision on the store's clock
     */
    public static Decision allowed(Limit limit, long remaining, long waitNanos, long resetAfterNanos, long timeNanos) {
        return checked(timeNanos, true, limit, remaining, waitNanos, resetAfterNanos);
    }

    /**
     * {@return a denial, for implementations of {@link dev.weir.store.Store}}
     * @param limit the limit that denied the request
     * @param remaining the permits that remain
     * @param retryAfterNanos the time until the same request is allowed, in nanoseconds; {@link Long#MAX_VALUE} if never
     * @param resetAfterNanos the time until the limit is as if unused, in nanoseconds
     * @param timeNanos the time of the decision on the store's clock
     */
    public static Decision denied(
            Limit limit, long remaining, long retryAfterNanos, long resetAfterNanos, long timeNanos) {
        return checked(timeNanos, false, limit, remaining, retryAfterNanos, resetAfterNanos);
    }

    /**
     * {@return the decision on several limits that their statuses describe, for implementations of {@link dev.weir.store.Store}}
     *
     * @param statuses those of each limit of each request, in the order of requests and of their limits; at least one
     * @param allowed whether all of them have room
     * @param delayNanos the wait if it is allowed, else the retry-after, in nanoseconds
     * @param timeNanos the time of the decision on the store's clock
     * @throws IllegalArgumentException if there is no status
     */
    public static Decision of(List<Status> statuses, boolean allowed, long delayNanos, long timeNanos) {
        requireSome(statuses);
        Status least = Collections.min(statuses, Comparator.comparingLong(Status::remaining));
        Status latest = Collections.max(statuses, Comparator.comparingLong(Status::retryAfterNanos));
        Decision decision = allowed
                ? allowed(least.limit(), least.remaining(), delayNanos, least.resetAfterNanos(), timeNanos)
                : denied(latest.limit(), least.remaining(), delayNanos, latest.resetAfterNanos(), timeNanos);
        return decision.withStatuses(statuses);
    }

    private static void requireSome(List<Status> statuses) {
        if (statuses.isEmpty()) {
            throw new IllegalArgumentException("statuses must be at least 1, were 0");
        }
    }

    /** {@return this decision, marked as made without the state of its key; see {@link #degraded}} */
    public Decision asDegraded() {
        return new Decision(timeNanos, allowed, limit, remaining, delayNanos, resetAfterNanos, true, blocked, statuses);
    }

    /**
     * {@return this denial, marked as the effect of a block; see {@link #blocked}}
     * @throws IllegalStateException if this decision is allowed
     */
    public Decision asBlocked() {
        if (allowed) {
            throw new IllegalStateException("an allowed request is not blocked");
        }
        return new Decision(timeNanos, false, limit, remaining, delayNanos, resetAfterNanos, degraded, true, statuses);
    }

    /**
     * {@return this decision with the status of each limit of each request; see {@link #statuses}}
     * @param statuses at least one, in the order of requests and of their limits
     * @throws IllegalArgumentException if there is none
     */
    public Decision withStatuses(List<Status> statuses) {
        requireSome(statuses);
        List<Status> known = List.copyOf(statuses);
        return withStatuses(decision -> known);
    }

    /**
     * {@return this decision with the status of each limit of each request, computed when they are read; see {@link #statuses}}
     * @param statuses returns the statuses of a decision, always the same; at least one, in the order of requests and of their limits
     */
    public Decision withStatuses(Function<? super Decision, List<Status>> statuses) {
        Objects.requireNonNull(statuses, "statuses must not be null");
        return new Decision(
                timeNanos, allowed, limit, remaining, delayNanos, resetAfterNanos, degraded, blocked, statuses);
    }

    /** {@return whether the request may proceed, after {@link #waitTime}} */
    public boolean allowed() {
        return allowed;
    }

    /**
     * {@return the most restrictive limit: of a denial the one that fits latest, else the one with the least remaining permits;
     * the first among equals}
     */
    public Limit limit() {
        return limit;
    }

    /**
     * {@return the permits that could be granted now, after this decision: the least over all limits, zero or more} A denial of 5
     * permits may have 3 remaining. For a leaky bucket it is the room in the queue; for {@link Limit#unlimited} it is {@link
     * Long#MAX_VALUE}.
     */
    public long remaining() {
        return remaining;
    }

    /**
     * {@return how long an allowed request waits, counted from the decision; zero if it may proceed at once} A caller of {@code
     * reserve} waits that long itself; {@code acquire}, {@code tryAcquire} with a wait and {@link Reservation#await} have waited
     * when they return.
     */
    public Duration waitTime() {
        return Duration.ofNanos(waitNanos());
    }

    /** {@return {@link #waitTime} in nanoseconds} */
    public long waitNanos() {
        return allowed ? delayNanos : 0;
    }

    /**
     * {@return the time after which the same request is allowed at once if nothing else happens, and not one clock tick before;
     * zero if allowed, about 292 years if {@link #never}} For a request that was ready to wait until a full leaky bucket
     * is empty: the time until the queue has room. Of a {@link #degraded} denial, an estimate.
     */
    public Duration retryAfter() {
        return Duration.ofNanos(retryAfterNanos());
    }

    /** {@return {@link #retryAfter} in nanoseconds; {@link Long#MAX_VALUE} if {@link #never}} */
    public long retryAfterNanos() {
        return allowed ? 0 : delayNanos;
    }

    /**
     * {@return {@link #retryAfter} in whole seconds, rounded up, so that a client is not too early, for the header {@code
     * Retry-After}: zero if allowed; at most 2,147,483,647 (68 years), also if {@link #never}}
     */
    public long retryAfterSeconds() {
        return wholeSeconds(retryAfterNanos());
    }

    /** {@return the time until {@link #limit} is as if this key had never been used, if nothing else happens} */
    public Duration resetAfter() {
        return Duration.ofNanos(resetAfterNanos);
    }

    /** {@return {@link #resetAfter} in nanoseconds} */
    public long resetAfterNanos() {
        return resetAfterNanos;
    }

    /** {@return whether the request can never be allowed, because it asks for more permits than a limit ever grants} */
    public boolean never() {
        return !allowed && delayNanos == NEVER;
    }

    /** {@return whether the request was denied while its key was blocked, whatever its limits} */
    public boolean blocked() {
        return blocked;
    }

    /** {@return whether the decision was made without the state of its key: the store was full or had failed} */
    public boolean degraded() {
        return degraded;
    }

    /** {@return the time of the decision on the store's clock, in nanoseconds; zero if made by hand} */
    public long timeNanos() {
        return timeNanos;
    }

    /**
     * {@return the status of every limit of every request, in the order of the requests and of their limits, all from the same
     * atomic step; at least one, unmodifiable} With a single limit, it repeats what this decision says.
     */
    public List<Status> statuses() {
        return statuses != null
                ? statuses.apply(this)
                : List.of(new Status(0, limit, remaining, retryAfterNanos(), resetAfterNanos));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Decision that
                && allowed == that.allowed
                && degraded == that.degraded
                && blocked == that.blocked
                && remaining == that.remaining
                && delayNanos == that.delayNanos
                && resetAfterNanos == that.resetAfterNanos
                && limit.equals(that.limit)
                && statuses().equals(that.statuses());
    }

    @Override
    public int hashCode() {
        return Objects.hash(allowed, degraded, blocked, limit, remaining, delayNanos, resetAfterNanos);
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder(allowed ? "allowed" : blocked ? "blocked" : never() ? "never" : "denied");
        text.append(" by ").append(limit).append(", remaining ").append(remaining);
        if (allowed && delayNanos > 0) {
            text.append(", wait ").append(waitTime());
        } else if (!allowed && !never()) {
            text.append(", retry after ").append(retryAfter());
        }
        text.append(", reset after ").append(resetAfter());
        return text.append(degraded ? ", degraded" : "").toString();
    }
}
