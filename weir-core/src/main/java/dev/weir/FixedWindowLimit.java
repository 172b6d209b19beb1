package dev.weir;

import java.util.Objects;

/**
 * A fixed window counter: one counter that starts again at zero with each window.
 *
 * <p>Guarantee: at most N = {@link #permits()} permits are granted in each of its own windows; at most 2N in any window of the
 * same length.
 *
 * <p>Weakness: around a boundary between two windows, twice the limit may pass within a moment.
 *
 * <p>A denied request consumes nothing. Memory: 16 bytes for the current window and for each window with reservations, at
 * most 1,024. Time: constant; with reservations, one step for each full window ahead.
 */
public final class FixedWindowLimit extends Limit {
    private final Align align;

    /** Where the windows start. */
    public enum Align {
        /** At multiples of the window's length since the epoch of the store's time source. The default. */
        CLOCK,
        /** At the first request that no window covers. */
        FIRST
    }

    FixedWindowLimit(String name, long permits, long windowNanos, Align align) {
        super(name, permits, windowNanos);
        this.align = Objects.requireNonNull(align, "align must not be null");
    }

    /** {@return where the windows start} */
    public Align align() {
        return align;
    }

    /**
     * Returns this limit with windows that start elsewhere.
     *
     * @param align where the windows start
     * @return a limit that differs in its alignment only
     */
    public FixedWindowLimit align(Align align) {
        return new FixedWindowLimit(name(), permits(), windowNanos(), align);
    }

    @Override
    public FixedWindowLimit named(String name) {
        return new FixedWindowLimit(name, permits(), windowNanos(), align);
    }

    @Override
    FixedWindowLimit share(double share) {
        return new FixedWindowLimit(name(), share(permits(), share), windowNanos(), align);
    }

    @Override
    Object options() {
        return align;
    }
}
