package dev.weir.testkit;

import dev.weir.Accounting;
import dev.weir.Limit;
import dev.weir.testkit.TraceEvent.Kind;
import dev.weir.testkit.Verdict.Violation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks a trace against the bound that a limit's algorithm guarantees. Independent of the limiters: it sorts the granted
 * permits and slides a window over them. Time: O(n log n); the trace is held in memory.
 *
 * <p>The bounds: sliding log, and sliding window with the conservative estimate, N in every window (without the margin, which
 * is there to keep the limit itself); with the classic estimate, N in every window less one bucket and 2N in every window;
 * fixed window, N from each window's start to its end, or 2N in every window with {@code align=first}; token bucket and GCRA,
 * the burst and what is earned over every span; leaky bucket, N + (largest weight - 1) in every window; unlimited, no bound.
 */
public final class TraceChecker {
    private static final TreeMap<Long, Long> NONE = new TreeMap<>();
    private static final String IN_A_WINDOW = "in a window";

    private final Limit limit;

    private TraceChecker(Limit limit) {
        this.limit = limit;
    }

    /** The permits that one key was granted at one instant, minus refunds. */
    private record Admitted(long time, long weight) {}

    /**
     * Checks a trace.
     *
     * @param limit the limit
     * @param trace the events, in any order; iterated twice
     * @return the result, with the first window of a key that exceeds the bound
     * @throws IllegalArgumentException if more permits were refunded than granted for a time and key, or if the permits of
     *     one instant overflow
     */
    public static Verdict check(Limit limit, Iterable<TraceEvent> trace) {
        Map<String, TreeMap<Long, Long>> weights = new TreeMap<>();
        Map<String, Long> largest = new TreeMap<>();
        long events = 0;
        for (TraceEvent event : trace) {
            events++;
            TreeMap<Long, Long> ofKey = weights.computeIfAbsent(event.key(), key -> new TreeMap<>());
            if (event.kind() != Kind.DENIED) {
                long signed = event.kind() == Kind.ALLOWED ? event.permits() : -event.permits();
                try {
                    ofKey.merge(event.timeNanos(), signed, Math::addExact);
                } catch (ArithmeticException overflow) {
                    throw new IllegalArgumentException(
                            "more than " + Long.MAX_VALUE + " permits at one instant, " + event.timeNanos(), overflow);
                }
            }
        }
        for (TraceEvent event : trace) {
            long left = weights.getOrDefault(event.key(), NONE).getOrDefault(event.timeNanos(), 0L);
            if (event.kind() == Kind.ALLOWED) {
                largest.merge(event.key(), Math.min(event.permits(), left), Math::max);
            }
        }
        Violation violation = null;
        for (Map.Entry<String, TreeMap<Long, Long>> ofKey : weights.entrySet()) {
            String key = ofKey.getKey();
            violation = new TraceChecker(limit)
                    .check(key, admitted(key, ofKey.getValue()), Math.max(1, largest.getOrDefault(key, 1L)));
            if (violation != null) {
                break;
            }
        }
        return new Verdict(events, weights.size(), violation);
    }

    private static List<Admitted> admitted(String key, SortedMap<Long, Long> weights) {
        List<Admitted> admitted = new ArrayList<>();
        weights.forEach((time, weight) -> {
            if (weight < 0) {
                throw new IllegalArgumentException(
                        "key '" + key + "': the permits refunded at " + time + " exceed those granted by " + -weight);
            }
            if (weight > 0) {
                admitted.add(new Admitted(time, weight));
            }
        });
        return admitted;
    }

    private @Nullable Violation check(String key, List<Admitted> events, long largest) {
        BigInteger permits = BigInteger.valueOf(limit.permits());
        long window = limit.windowNanos();
        Accounting accounting = limit.accounting();
        return switch (accounting.method()) {
            case LOG, LOG_OF_ATTEMPTS, BUCKETS -> slide(key, events, window, permits, IN_A_WINDOW);
            case CLASSIC_BUCKETS -> {
                long less = window - accounting.tickNanos();
                Violation broken = less < 1 ? null : slide(key, events, less, permits, "in a window less one bucket");
                yield broken != null ? broken : slide(key, events, window, permits.shiftLeft(1), IN_A_WINDOW);
            }
            case CLOCK_WINDOWS -> fixedWindows(key, events);
            case FIRST_WINDOWS -> slide(key, events, window, permits.shiftLeft(1), IN_A_WINDOW);
            case TOKENS, SPACING -> spans(key, events, accounting.burst());
            case QUEUE -> slide(key, events, window, permits.add(BigInteger.valueOf(largest - 1)), IN_A_WINDOW);
            case NOTHING -> null;
        };
    }

    private @Nullable Violation slide(String key, List<Admitted> events, long length, BigInteger bound, String rule) {
        BigInteger sum = BigInteger.ZERO;
        int oldest = 0;
        for (Admitted event : events) {
            sum = sum.add(BigInteger.valueOf(event.weight));
            while (elapsed(events.get(oldest).time, event.time) >= length) {
                sum = sum.subtract(BigInteger.valueOf(events.get(oldest++).weight));
            }
            if (sum.compareTo(bound) > 0) {
                return violation(key, events.get(oldest), event, sum, saturated(bound), rule);
            }
        }
        return null;
    }

    private @Nullable Violation fixedWindows(String key, List<Admitted> events) {
        BigInteger sum = BigInteger.ZERO;
        Admitted first = null;
        long start = 0;
        for (Admitted event : events) {
            if (first == null || elapsed(start, event.time) >= limit.windowNanos()) {
                sum = BigInteger.ZERO;
                first = event;
                start = event.time - Math.floorMod(event.time, limit.windowNanos());
            }
            sum = sum.add(BigInteger.valueOf(event.weight));
            if (sum.compareTo(BigInteger.valueOf(limit.permits())) > 0) {
                return violation(key, first, event, sum, limit.permits(), "from a window's start to its end");
            }
        }
        return null;
    }

    /** For all i up to j: the weight from i to j, less the burst, is earned from i to j. */
    private @Nullable Violation spans(String key, List<Admitted> events, long burst) {
        BigInteger window = BigInteger.valueOf(limit.windowNanos());
        BigInteger rate = BigInteger.valueOf(limit.permits());
        BigInteger before = BigInteger.ZERO; // weight of all before event j
        BigInteger lowest = null; // least of: weight before i x window - rate x time of i
        BigInteger beforeLowest = before;
        Admitted first = null;
        for (Admitted event : events) {
            BigInteger earned = rate.multiply(BigInteger.valueOf(event.time));
            BigInteger level = before.multiply(window).subtract(earned);
            if (lowest == null || level.compareTo(lowest) < 0) {
                lowest = level;
                beforeLowest = before;
                first = event;
            }
            before = before.add(BigInteger.valueOf(event.weight));
            BigInteger over = before.multiply(window).subtract(earned).subtract(lowest);
            if (first != null && over.compareTo(BigInteger.valueOf(burst).multiply(window)) > 0) {
                BigInteger span = BigInteger.valueOf(event.time).subtract(BigInteger.valueOf(first.time));
                BigInteger bound =
                        BigInteger.valueOf(burst).add(rate.multiply(span).divide(window));
                return violation(
                        key,
                        first,
                        event,
                        before.subtract(beforeLowest),
                        saturated(bound),
                        "burst and what was earned");
            }
        }
        return null;
    }

    /** From one time to a later one, at most {@link Long#MAX_VALUE}. */
    private static long elapsed(long from, long to) {
        return to - from < 0 ? Long.MAX_VALUE : to - from;
    }

    private static Violation violation(
            String key, Admitted first, Admitted last, BigInteger weight, long bound, String rule) {
        return new Violation(key, first.time, last.time, saturated(weight), bound, rule);
    }

    private static long saturated(BigInteger value) {
        return value.bitLength() > 63 ? Long.MAX_VALUE : value.longValue();
    }
}
