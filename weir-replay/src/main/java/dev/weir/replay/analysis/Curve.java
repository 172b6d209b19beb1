package dev.weir.replay.analysis;

import dev.weir.Limit;
import dev.weir.replay.ReplayResult.DeniedKey;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/**
 * What sliding logs with one window and different numbers of permits would have denied. Every figure is exact.
 *
 * @param windowNanos the length of the window
 * @param points from the lowest limit to the highest
 * @param suggestions those of the points that are limits to choose
 * @param main the suggestion to begin with
 */
public record Curve(long windowNanos, List<Point> points, List<Point> suggestions, Point main) {
    private static final int NAMED = 4; // most denied keys of a point

    /**
     * Returns the curve of a trace, which is read once for each point.
     *
     * @param log a sliding log that is one of the points
     * @param progress is notified of the percentage done
     */
    static Curve of(Trace trace, Demand demand, Limit log, LongConsumer progress) throws IOException {
        List<Long> suggested = Suggestions.limits(demand, trace.keys());
        TreeSet<Long> required = new TreeSet<>(suggested);
        required.add(log.permits());
        long least = Math.min(demand.smallestLimit(trace.keys() / 2), required.first());
        List<Long> limits = Ladder.between(least, Math.max(least, demand.most()), required);
        List<Point> points = new ArrayList<>();
        for (long permits : limits) {
            points.add(point(trace, demand, Limit.slidingLog(permits, log.window())));
            progress.accept(100L * points.size() / limits.size());
        }
        List<Point> suggestions = points.stream()
                .filter(point -> suggested.contains(point.permits()))
                .toList();
        Point main = suggestions.get(suggested.indexOf(Suggestions.main(demand, trace.keys())));
        return new Curve(log.windowNanos(), points, suggestions, main);
    }

    /** Replays the keys that a limit denies at least once. */
    private static Point point(Trace trace, Demand demand, Limit log) throws IOException {
        long[] denied = new long[trace.keys()];
        int keys = demand.keysAbove(log.permits());
        if (keys > 0) {
            SlidingLogs logs = new SlidingLogs(log);
            trace.forEach((time, key, requested) -> {
                if (demand.of(key) > log.permits() && logs.admit(key, time, requested) < 0) {
                    denied[key]++;
                }
            });
        }
        List<DeniedKey> named = trace.top(denied, NAMED).stream()
                .map(key -> new DeniedKey(trace.key(key), denied[key]))
                .toList();
        return new Point(log, Arrays.stream(denied).sum(), keys, named);
    }

    /** Returns the length of a tick of the sliding logs. A request is recorded at the end of its tick. */
    public long tickNanos() {
        return points.get(0).log().accounting().tickNanos();
    }

    /**
     * A limit.
     *
     * @param log the limit
     * @param deniedRequests how many requests it denies
     * @param deniedKeys how many keys it denies at least once
     * @param mostDenied the keys with the most denied requests, a few
     */
    public record Point(Limit log, long deniedRequests, int deniedKeys, List<DeniedKey> mostDenied) {
        /** Returns the number of permits. */
        public long permits() {
            return log.permits();
        }
    }
}
