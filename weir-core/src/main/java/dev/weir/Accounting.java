package dev.weir;

/**
 * How a limit counts permits, in terms that stores and checkers understand without knowing its algorithm. A new algorithm
 * that counts by one of these methods works with every store.
 *
 * @param method how permits are counted
 * @param windowNanos how long a permit counts, in nanoseconds: the window with its margin
 * @param tickNanos the length of a tick in nanoseconds, at least 1; grants of one tick are recorded together
 * @param burst the most permits that may be outstanding at once, where permits are spaced; else 0
 */
public record Accounting(Method method, long windowNanos, long tickNanos, long burst) {

    /** How permits are counted. The set may grow; code that distinguishes them needs a default case. */
    public enum Method {
        /** Each grant counts for one window from the end of its tick. */
        LOG,
        /** As {@link #LOG}; denied requests count too. No waiting and no refunds. */
        LOG_OF_ATTEMPTS,
        /** As {@link #LOG}, with few and long ticks. */
        BUCKETS,
        /** Each grant counts for one window from the start of its tick. */
        CLASSIC_BUCKETS,
        /** Grants are counted in windows that start at multiples of their length. */
        CLOCK_WINDOWS,
        /** Grants are counted in windows, each of which starts at the first grant that no window covers. */
        FIRST_WINDOWS,
        /** Virtual scheduling: a permit is outstanding for {@code window / permits}, one after the other. */
        TOKENS,
        /** As {@link #TOKENS}, but requests start only when nothing is outstanding; others wait. */
        QUEUE,
        /** As {@link #TOKENS}, usually with a burst of 1. Its state is not shared with that of tokens. */
        SPACING,
        /** Nothing is counted. */
        NOTHING
    }

    Accounting by(Method changed) {
        return new Accounting(changed, windowNanos, tickNanos, burst);
    }

    Accounting withWindow(long changed) {
        return new Accounting(method, changed, tickNanos, burst);
    }

    Accounting withTick(long changed) {
        return new Accounting(method, windowNanos, changed, burst);
    }
}
