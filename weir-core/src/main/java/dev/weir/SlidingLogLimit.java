package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * An exact limit, and Weir's default: in every window of the given length, at most {@link #permits()} permits are granted.
 *
 * <p>Guarantee: for every instant {@code t} on the store's clock, the permits granted in {@code (t - window, t]} never exceed
 * {@code permits}, including weighted requests, refunds, reservations and changed limits. A denied request consumes nothing
 * unless {@link Count#ATTEMPTS} is set.
 *
 * <p>Weakness: a grant is recorded at the end of its tick ({@link #resolution()}), so a request may be denied up to one tick
 * too early.
 *
 * <p>Memory: 4 bytes per permit or 16 bytes per tick in which permits were granted, whichever is less; at most {@code window /
 * resolution + 1} ticks, plus at most 1,024 pending reservations; about 100 bytes for an idle key. Time: constant for a grant
 * and for a denial of one permit; while reservations are pending, one pass over the log. On Redis one round trip.
 *
 * <p>Source: the sliding window log of the rate-limiting literature.
 */
public final class SlidingLogLimit extends Limit {
    private static final long MAX_DEFAULT_RESOLUTION_NANOS = 1_000_000; // 1 ms
    private static final long DEFAULT_TICKS = 1_000;

    private final long resolutionNanos;
    private final Count count;
    private final long marginNanos;

    /** Which requests the log records. */
    public enum Count {
        /** Granted requests only: a denial consumes nothing. The default. */
        ADMITTED,
        /**
         * Denied requests too, so that a caller that keeps trying stays denied. Only the newest N permits are kept. Such a limit
         * admits no waiting and no refunds.
         */
        ATTEMPTS
    }

    SlidingLogLimit(String name, long permits, long windowNanos) {
        this(name, permits, windowNanos, defaultResolutionNanos(windowNanos), Count.ADMITTED, 0);
    }

    private SlidingLogLimit(
            String name, long permits, long windowNanos, long resolutionNanos, Count count, long marginNanos) {
        super(name, permits, windowNanos);
        Checks.duration("resolution", resolutionNanos, 1, windowNanos);
        Checks.duration("margin", marginNanos, 0, Long.MAX_VALUE - windowNanos);
        this.resolutionNanos = resolutionNanos;
        this.count = Objects.requireNonNull(count, "count must not be null");
        this.marginNanos = marginNanos;
    }

    static long defaultResolutionNanos(long windowNanos) {
        return Math.max(1, Math.min(MAX_DEFAULT_RESOLUTION_NANOS, windowNanos / DEFAULT_TICKS));
    }

    /** {@return the length of a tick; by default 1 ms or a thousandth of the window, whichever is shorter} */
    public Duration resolution() {
        return Duration.ofNanos(resolutionNanos);
    }

    /** {@return the length of a tick in nanoseconds, from 1 to the length of the window} */
    public long resolutionNanos() {
        return resolutionNanos;
    }

    /** {@return which requests the log records} */
    public Count count() {
        return count;
    }

    /** {@return by how much the window is widened; by default zero} */
    public Duration margin() {
        return Duration.ofNanos(marginNanos);
    }

    /** {@return by how many nanoseconds the window is widened} */
    public long marginNanos() {
        return marginNanos;
    }

    /**
     * Returns this limit with another tick: a longer one takes less memory, and denies up to one tick too early.
     *
     * @param resolution the length of a tick, from 1 ns to the length of the window
     * @return a limit that differs in its resolution only
     */
    public SlidingLogLimit resolution(Duration resolution) {
        return with(name(), Checks.nanos("resolution", resolution), count, marginNanos);
    }

    /**
     * Returns this limit with another choice of what the log records.
     *
     * @param count which requests the log records
     * @return a limit that differs in its count only
     */
    public SlidingLogLimit count(Count count) {
        return with(name(), resolutionNanos, count, marginNanos);
    }

    /**
     * Returns this limit with a wider window, so that delays between the decision and the action do not break a limit that
     * someone else enforces. Choose a margin of at least the variation of that delay.
     *
     * @param margin by how much to widen the window, zero or more
     * @return a limit that differs in its margin only
     */
    public SlidingLogLimit margin(Duration margin) {
        return with(name(), resolutionNanos, count, Checks.nonNegativeNanos("margin", margin));
    }

    @Override
    public SlidingLogLimit named(String name) {
        return with(name, resolutionNanos, count, marginNanos);
    }

    private SlidingLogLimit with(String name, long resolutionNanos, Count count, long marginNanos) {
        return new SlidingLogLimit(name, permits(), windowNanos(), resolutionNanos, count, marginNanos);
    }

    @Override
    SlidingLogLimit share(double share) {
        long part = share(permits(), share);
        return new SlidingLogLimit(name(), part, windowNanos(), resolutionNanos, count, marginNanos);
    }

    @Override
    Object options() {
        return List.of(resolutionNanos, count, marginNanos);
    }
}
