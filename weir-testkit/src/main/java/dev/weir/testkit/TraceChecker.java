package dev.weir.testkit;

import dev.weir.Accounting;
import dev.weir.Limit;
import dev.weir.testkit.TraceEvent.Kind;
import dev.weir.testkit.Verdict.Violation;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
 * fixed window, N from each window's start to its end, with {@code align=first} for windows that start anywhere but do not overlap;
 * token bucket and GCRA, the burst and what is earned over every span; leaky bucket, N + (largest weight - 1) in every window, and the
 * largest weight and what drains over every span, to the microsecond; unlimited, no bound.
 */
public final class TraceChecker {
    private static final TreeMap<Long, Long> NONE = new TreeMap<>();
    private static final String IN_A_WINDOW = "in a window";
    private static final long LONGEST_TICK_NANOS = 1_000; // of the clocks on which a queue rounds its starts up

    private final Limit limit;

    private TraceChecker(Limit limit) {
        this.limit = limit;
    }

    /** The permits that one key was granted at one instant, minus refunds. */
    private record Admitted(long time, long weight) {}

    /**
     * An event with which a window may begin.
     *
     * @param before the weight of all events before it
     * @param covered the last instant of the windows before, if each starts as early as it can
     */
    private record Start(Admitted first, BigInteger before, BigInteger covered) {}

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
            case FIRST_WINDOWS -> windowsAnywhere(key, events);
            case TOKENS, SPACING -> spans(key, events, cost(accounting.burst()), "burst and what was earned");
            case QUEUE -> {
                Violation broken =
                        slide(key, events, window, permits.add(BigInteger.valueOf(largest - 1)), IN_A_WINDOW);
                BigInteger cost = cost(largest).add(permits.multiply(BigInteger.valueOf(LONGEST_TICK_NANOS)));
                yield broken != null ? broken : spans(key, events, cost, "largest weight and what drained");
            }
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

    /**
     * Looks for windows that do not overlap, with at most N permits each, for all events. The window of an event may begin with any
     * event that the windows before it need not cover; the earliest of those lets the windows after it start earliest.
     */
    private @Nullable Violation windowsAnywhere(String key, List<Admitted> events) {
        BigInteger window = BigInteger.valueOf(limit.windowNanos());
        BigInteger permits = BigInteger.valueOf(limit.permits());
        Deque<Start> starts = new ArrayDeque<>();
        BigInteger sum = BigInteger.ZERO;
        BigInteger covered =
                events.isEmpty() ? BigInteger.ZERO : time(events.get(0)).subtract(window);
        for (Admitted event : events) {
            if (covered.compareTo(time(event)) < 0) {
                starts.add(new Start(event, sum, covered));
            }
            sum = sum.add(BigInteger.valueOf(event.weight));
            Start latest = starts.getLast();
            while (!starts.isEmpty() && !isInWindow(starts.element(), event, sum.subtract(permits))) {
                starts.remove();
            }
            if (starts.isEmpty()) {
                return violation(
                        key,
                        latest.first,
                        event,
                        sum.subtract(latest.before),
                        limit.permits(),
                        "from a window's start to its end, wherever it starts");
            }
            covered = starts.element().covered.add(window).max(time(event));
        }
        return null;
    }

    private boolean isInWindow(Start start, Admitted event, BigInteger least) {
        return elapsed(start.first.time, event.time) < limit.windowNanos() && start.before.compareTo(least) >= 0;
    }

    private static BigInteger time(Admitted event) {
        return BigInteger.valueOf(event.time);
    }

    /** Returns what permits cost: the time to earn them, times N. */
    private BigInteger cost(long permits) {
        return BigInteger.valueOf(permits).multiply(BigInteger.valueOf(limit.windowNanos()));
    }

    /** For all i up to j: the cost of the weight from i to j, less a free amount, is earned from i to j. */
    private @Nullable Violation spans(String key, List<Admitted> events, BigInteger free, String rule) {
        BigInteger window = BigInteger.valueOf(limit.windowNanos());
        BigInteger rate = BigInteger.valueOf(limit.permits());
        BigInteger before = BigInteger.ZERO; // weight of all before event j
        BigInteger lowest = null; // least of: weight before i x window - rate x time of i
        BigInteger beforeLowest = before;
        Admitted first = null;
        for (Admitted event : events) {
            BigInteger earned = rate.multiply(time(event));
            BigInteger level = before.multiply(window).subtract(earned);
            if (lowest == null || level.compareTo(lowest) < 0) {
                lowest = level;
                beforeLowest = before;
                first = event;
            }
            before = before.add(BigInteger.valueOf(event.weight));
            BigInteger over = before.multiply(window).subtract(earned).subtract(lowest);
            if (first != null && over.compareTo(free) > 0) {
                BigInteger span = time(event).subtract(time(first));
                BigInteger bound = free.add(rate.multiply(span)).divide(window);
                return violation(key, first, event, before.subtract(beforeLowest), saturated(bound), rule);
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
