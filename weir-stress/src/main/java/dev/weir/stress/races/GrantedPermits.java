package dev.weir.stress.races;

import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** The definition of a sliding log, as plain as possible: the permits granted at each instant. Shares no code with Weir. */
final class GrantedPermits {
    private final long permits;
    private final long window;
    private final NavigableMap<Long, Long> granted = new TreeMap<>();

    GrantedPermits(long permits, long window) {
        this.permits = permits;
        this.window = window;
    }

    /** Returns the permits in the window that ends at an instant. */
    private long inWindow(long end) {
        return granted.subMap(end - window, false, end, true).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Returns the most permits in a window that contains an instant and ends at it or later. */
    private long peakAfter(long instant) {
        LongStream ends = granted.subMap(instant, false, instant + window, false).keySet().stream()
                .mapToLong(Long::longValue);
        return LongStream.concat(LongStream.of(instant), ends)
                .map(this::inWindow)
                .max()
                .orElseThrow();
    }

    /** Returns the first instant, now or later, that has room; permits become available only where others expire. */
    long earliest(long now, long requested) {
        LongStream expiries = granted.keySet().stream().mapToLong(instant -> instant + window);
        return LongStream.concat(LongStream.of(now), expiries)
                .filter(instant -> instant >= now && peakAfter(instant) + requested <= permits)
                .min()
                .orElseThrow();
    }

    boolean acquire(long now, long requested) {
        boolean fits = peakAfter(now) + requested <= permits;
        if (fits) {
            grant(now, requested);
        }
        return fits;
    }

    /** Records permits. */
    void grant(long instant, long requested) {
        granted.merge(instant, requested, Long::sum);
    }

    /** Removes permits, if there are any at the instant. */
    void refund(long instant, long refunded) {
        granted.computeIfPresent(instant, (key, all) -> all <= refunded ? null : Long.valueOf(all - refunded));
    }

    void reset() {
        granted.clear();
    }

    /** Returns the permits that can be granted now. */
    long remaining(long now) {
        return Math.max(0, permits - peakAfter(now));
    }
}
