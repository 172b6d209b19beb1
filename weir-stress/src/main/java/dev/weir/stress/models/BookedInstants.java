package dev.weir.stress.models;

import java.util.TreeMap;
import java.util.stream.LongStream;

/** What a key's log must hold, told as plainly as can be: the weight booked at each instant. Knows nothing of Weir. */
final class BookedInstants {
    private final long permits;
    private final long window;
    private final TreeMap<Long, Long> weights = new TreeMap<>();

    BookedInstants(long permits, long window) {
        this.permits = permits;
        this.window = window;
    }

    /** The weight in the window that ends at this instant. */
    private long weightAt(long instant) {
        return weights.subMap(instant - window, false, instant, true).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** The most weight in a window that ends at this instant or later and holds it. */
    private long peakAfter(long instant) {
        LongStream ends = weights.subMap(instant, false, instant + window, false).keySet().stream()
                .mapToLong(Long::longValue);
        return LongStream.concat(LongStream.of(instant), ends)
                .map(this::weightAt)
                .max()
                .orElseThrow();
    }

    /** The first instant, now or later, at which so much fits; a place becomes free only where an entry leaves. */
    long earliest(long now, long weight) {
        LongStream leaving = weights.keySet().stream().mapToLong(stamp -> stamp + window);
        return LongStream.concat(LongStream.of(now), leaving)
                .filter(instant -> instant >= now && peakAfter(instant) + weight <= permits)
                .min()
                .orElseThrow();
    }

    boolean admit(long now, long weight) {
        boolean fits = peakAfter(now) + weight <= permits;
        if (fits) {
            book(now, weight);
        }
        return fits;
    }

    void book(long instant, long weight) {
        weights.merge(instant, weight, Long::sum);
    }

    void giveBack(long instant, long weight) {
        weights.computeIfPresent(instant, (stamp, booked) -> booked == weight ? null : Long.valueOf(booked - weight));
    }

    void reset() {
        weights.clear();
    }

    long remaining(long now) {
        return Math.max(0, permits - peakAfter(now));
    }
}
