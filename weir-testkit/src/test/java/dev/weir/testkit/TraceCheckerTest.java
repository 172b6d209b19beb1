package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.testkit.TraceEvent.Kind;
import dev.weir.testkit.Verdict.Violation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checker accepts and refuses the same traces as the definition of each bound, which counts everything again. */
class TraceCheckerTest {
    private static final int TRACES = 3_000; // for each limit
    private static final long TICK = 1_000; // of a queue
    private static final String ANYWHERE = "from a window's start to its end, wherever it starts";

    private static TraceEvent at(long time, long permits) {
        return new TraceEvent(time, "key", permits, Kind.ALLOWED);
    }

    private static Violation check(String limit, TraceEvent... events) {
        return TraceChecker.check(Limit.parse(limit), List.of(events)).violation();
    }

    @Test
    void windowsFromTheFirstRequest_oneHoldsTooMany_isFound() {
        String limit = "fixed-window 2/10ns align=first";
        assertThat(check(limit, at(0, 2), at(9, 2), at(19, 2))).isNull(); // the first window may have started at -9

        assertThat(check(limit, at(3, 3))).isEqualTo(new Violation("key", 3, 3, 3, 2, ANYWHERE));
        assertThat(check(limit, at(0, 1), at(5, 2), at(9, 1))).isEqualTo(new Violation("key", 5, 9, 3, 2, ANYWHERE));
        assertThat(check(limit, at(0, 2), at(5, 2), at(9, 2))).isNotNull();
        assertThat(check(limit, at(0, 2), at(9, 2), at(10, 2))).isNotNull();
        assertThat(check(limit, at(Long.MAX_VALUE - 9, 2), at(Long.MAX_VALUE, 2)))
                .isNull();
        assertThat(check(limit, at(Long.MIN_VALUE, 2), at(Long.MIN_VALUE + 1, 2), at(Long.MIN_VALUE + 2, 1)))
                .isNotNull();
    }

    @Test
    void leakyBucket_permitsLeaveTogether_isFound() {
        String limit = "leaky-bucket 10/1s";
        assertThat(check(limit, at(0, 1), at(100_000_000, 1), at(199_999_001, 1)))
                .isNull(); // on a clock of microseconds

        assertThat(check(limit, at(0, 1), at(100_000_000, 1), at(199_998_999, 1)))
                .isEqualTo(new Violation("key", 0, 199_998_999, 3, 2, "largest weight and what drained"));
        assertThat(check(limit, at(0, 2), at(200_000_000, 1), at(200_000_000, 1)))
                .as("two requests of 1 may be one of 2")
                .isNull();
        assertThat(check(limit, at(0, 10), at(500_000_000, 1))).isNull();
        assertThat(check(limit, at(0, 10), at(1_000_000_000, 10), at(1_999_000_000, 10)))
                .isNotNull();
    }

    @Test
    void refundedPermits_leaveNoEvent() {
        TraceEvent back = new TraceEvent(5, "key", 2, Kind.REFUNDED);

        assertThat(check("fixed-window 2/10ns align=first", at(0, 2), at(5, 2), back, at(9, 2)))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sliding-log 3/7ns",
                "sliding-log 3/7ns count=attempts",
                "sliding-window 3/7ns buckets=3",
                "sliding-window 3/7ns buckets=7 estimate=classic",
                "sliding-window 3/7ns buckets=3 estimate=classic",
                "sliding-window 3/7ns buckets=1 estimate=classic",
                "sliding-window 3/2ns buckets=2 estimate=classic",
                "fixed-window 3/7ns",
                "fixed-window 3/7ns align=first",
                "fixed-window 3/1ns align=first",
                "token-bucket 3/7ns burst=4",
                "gcra 3/7ns burst=2",
                "leaky-bucket 3/7ns",
                "leaky-bucket 3/2us",
                "unlimited"
            })
    void check_anyTrace_asByTheDefinition(String text) {
        Limit limit = Limit.parse(text);
        int broken = 0;
        for (int seed = 0; seed < TRACES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            NavigableMap<Long, Long> granted = new TreeMap<>();
            List<TraceEvent> trace = trace(random, Math.max(1, limit.windowNanos() / 7), granted);
            boolean holds = holds(limit, granted);

            assertThat(TraceChecker.check(limit, trace).holds())
                    .as("seed %s: %s", seed, trace)
                    .isEqualTo(holds);
            broken += holds ? 0 : 1;
        }
        assertThat(broken).isBetween(text.equals("unlimited") ? 0 : TRACES / 50, TRACES * 9 / 10);
    }

    /** Returns a trace in any order, of requests for 1 or 2 permits, some of them refunded; and what it grants at each instant. */
    private static List<TraceEvent> trace(SplittableRandom random, long unit, NavigableMap<Long, Long> granted) {
        List<TraceEvent> trace = new ArrayList<>();
        for (int i = random.nextInt(1, 12); i > 0; i--) {
            long time = (random.nextInt(40) - 20) * unit;
            trace.add(at(time, 2)); // so that 2 is the largest weight, unless all is refunded
            trace.add(new TraceEvent(time, "key", 3, Kind.DENIED));
            long kept = 2L - random.nextInt(3);
            if (kept < 2) {
                trace.add(new TraceEvent(time, "key", 2 - kept, Kind.REFUNDED));
            }
            if (kept > 0) {
                granted.merge(time, kept, Long::sum);
            }
        }
        Collections.shuffle(trace, new Random(trace.size()));
        return trace;
    }

    private static boolean holds(Limit limit, NavigableMap<Long, Long> granted) {
        long permits = limit.permits();
        long window = limit.windowNanos();
        long burst = limit.accounting().burst();
        long largest = granted.values().stream()
                .mapToLong(weight -> Math.min(2, weight))
                .max()
                .orElse(1);
        return switch (limit.accounting().method()) {
            case LOG, LOG_OF_ATTEMPTS, BUCKETS -> holds(granted, window, permits);
            case CLASSIC_BUCKETS ->
                holds(granted, window - limit.accounting().tickNanos(), permits) && holds(granted, window, 2 * permits);
            case CLOCK_WINDOWS ->
                granted.keySet().stream()
                        .map(time -> Math.floorDiv(time, window) * window)
                        .allMatch(start -> sum(granted, start, start + window - 1) <= permits);
            case FIRST_WINDOWS -> canBeCovered(granted, Long.MIN_VALUE, window, permits);
            case TOKENS, SPACING -> spans(granted, burst * window, permits, window);
            case QUEUE ->
                holds(granted, window, permits + largest - 1)
                        && spans(granted, largest * window + permits * TICK, permits, window);
            case NOTHING -> true;
        };
    }

    private static long sum(NavigableMap<Long, Long> granted, long from, long to) {
        return granted.subMap(from, true, to, true).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static boolean holds(NavigableMap<Long, Long> granted, long window, long most) {
        return window < 1 || granted.keySet().stream().allMatch(end -> sum(granted, end - window + 1, end) <= most);
    }

    /** Tries all starts of windows. */
    private static boolean canBeCovered(NavigableMap<Long, Long> granted, long from, long window, long permits) {
        Long first = granted.ceilingKey(from);
        if (first == null) {
            return true;
        }
        return LongStream.rangeClosed(Math.max(from, first - window + 1), first)
                .anyMatch(start -> sum(granted, start, start + window - 1) <= permits
                        && granted.subMap(from, true, start, false).isEmpty()
                        && canBeCovered(granted, start + window, window, permits));
    }

    private static boolean spans(NavigableMap<Long, Long> granted, long free, long permits, long window) {
        return granted.keySet().stream()
                .allMatch(from -> granted.tailMap(from).keySet().stream()
                        .allMatch(to -> sum(granted, from, to) * window <= free + permits * (to - from)));
    }
}
