package dev.weir.replay.analysis;

import dev.weir.Limit;
import dev.weir.replay.ReplayResult.DeniedKey;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** A builder of a {@link Curve}. Reads the trace once for each point; keys that a limit never denies are not simulated. */
final class CurveBuilder {
    private static final int NAMED = 4; // most denied keys of a point

    private final Trace trace;
    private final Demand demand;
    private final long windowNanos;

    CurveBuilder(Trace trace, Demand demand, long windowNanos) {
        this.trace = trace;
        this.demand = demand;
        this.windowNanos = windowNanos;
    }

    /**
     * Builds the curve.
     *
     * @param included a limit that is one of the points
     * @param progress is notified of the percentage done
     */
    Curve build(long included, LongConsumer progress) throws IOException {
        List<Suggestion> suggestions = Suggestion.of(demand, trace.keys());
        TreeSet<Long> required = new TreeSet<>();
        required.add(included);
        suggestions.forEach(suggestion -> required.add(suggestion.permits()));
        long least = Math.min(demand.smallestLimit(trace.keys() / 2), required.first());
        List<Long> limits = Ladder.between(least, Math.max(least, demand.most()), required);
        List<Curve.Point> points = new ArrayList<>();
        for (long permits : limits) {
            points.add(point(permits));
            progress.accept(100L * points.size() / limits.size());
        }
        return new Curve(windowNanos, points, suggestions);
    }

    private Curve.Point point(long permits) throws IOException {
        Limit log = Limit.slidingLog(permits, Duration.ofNanos(windowNanos));
        long[] denied = new long[trace.keys()];
        int keys = demand.keysAbove(permits);
        if (keys > 0) {
            SlidingLogs logs = new SlidingLogs(log, permits);
            trace.forEach((time, key, requested) -> {
                if (demand.of(key) > permits && logs.admit(key, time, requested) < 0) {
                    denied[key]++;
                }
            });
        }
        List<DeniedKey> named = trace.top(denied, NAMED).stream()
                .map(key -> new DeniedKey(trace.key(key), denied[key]))
                .toList();
        return new Curve.Point(log, Arrays.stream(denied).sum(), keys, named);
    }
}
