package dev.weir.replay.analysis;

import dev.weir.Accounting.Method;
import dev.weir.Limit;
import dev.weir.replay.Comparison;
import dev.weir.replay.Recording;
import dev.weir.replay.ReplayResult;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a report shows.
 *
 * @param results the results of the replay, one for each limit
 * @param first the position of the limit that the report is about
 * @param traffic the requests without regard to any limit
 * @param demand what the keys request in windows of the first limit
 * @param curve other numbers of permits for the same window
 * @param denials how often the first limit denies each key
 * @param axis the span of the traffic
 * @param timelines the decisions of each limit on that axis
 * @param scenes worst windows
 * @param clients the keys that the first limit denies most
 * @param stretchNanos the length of their busiest stretch
 * @param comparison where the limits differ; null unless there are two
 */
public record Analysis(
        List<ReplayResult> results,
        int first,
        Traffic traffic,
        Demand demand,
        Curve curve,
        Denials denials,
        TimeAxis axis,
        List<Timeline> timelines,
        List<Scene> scenes,
        List<Client> clients,
        long stretchNanos,
        @Nullable Comparison comparison) {
    private static final int CLIENTS = 12;
    private static final int DIFFERENCES = 50;
    private static final long SECOND = 1_000_000_000;
    private static final long[] STRETCHES = {
        60 * SECOND, 600 * SECOND, 3600 * SECOND, 6 * 3600 * SECOND, 24 * 3600 * SECOND, 7 * 24 * 3600 * SECOND
    };
    private static final int WINDOWS_IN_STRETCH = 5;

    /**
     * Analyses a replay. Reads the trace four or five times, and once for each point of the curve.
     *
     * @param progress is notified of the percentage done
     * @throws IllegalArgumentException if there is no request, or no limit with a window
     */
    public static Analysis of(Trace trace, Recording recording, LongConsumer progress) throws IOException {
        if (trace.requests() == 0) {
            throw new IllegalArgumentException("a report needs at least one request");
        }
        List<ReplayResult> results = recording.results();
        int first = first(results.stream().map(ReplayResult::limit).toList());
        Limit lead = results.get(first).limit();
        Traffic traffic = Traffic.of(trace);
        Limit log = Limit.slidingLog(lead.permits(), lead.window());
        Demand demand = Demand.of(trace, log);
        Curve curve = Curve.of(trace, demand, log, progress);
        Denials denials = Denials.of(trace, recording, first);
        TimeAxis axis = TimeAxis.spanning(traffic.firstNanos(), traffic.lastNanos());
        List<Scene> scenes = Scenes.of(trace, recording, traffic.unitNanos());
        long stretch = stretch(lead.windowNanos());
        Map<Integer, Client> clients = new LinkedHashMap<>();
        for (int key : denials.top(trace, CLIENTS)) {
            long cell = stretch / BusiestStretch.CELLS;
            clients.put(key, new Client(trace.key(key), demand.of(key), axis.buckets(), cell, results.size()));
        }
        Detail detail = new Detail(recording, first, axis, scenes, clients);
        trace.forEach(detail);
        Comparison comparison = results.size() == 2 ? Comparison.of(trace, recording, DIFFERENCES) : null;
        return new Analysis(
                results,
                first,
                traffic,
                demand,
                curve,
                denials,
                axis,
                detail.timelines(),
                scenes,
                List.copyOf(clients.values()),
                stretch,
                comparison);
    }

    /**
     * Returns the position of the first limit that can deny anything.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static int first(List<Limit> limits) {
        for (int i = 0; i < limits.size(); i++) {
            if (limits.get(i).accounting().method() != Method.NOTHING) {
                return i;
            }
        }
        throw new IllegalArgumentException("a report needs a limit that denies something, such as 60/1m");
    }

    /** Returns the shortest of the usual stretches with several windows. */
    private static long stretch(long windowNanos) {
        for (long stretch : STRETCHES) {
            if (stretch / WINDOWS_IN_STRETCH >= windowNanos) {
                return stretch;
            }
        }
        return STRETCHES[STRETCHES.length - 1];
    }

    /** Returns whether requests may be inside a tick of the curve's logs, so that they count for up to a tick longer. */
    public boolean hasTimesInsideTicks() {
        return traffic.unitNanos() % curve.tickNanos() != 0;
    }

    /** Returns the result of the limit that the report is about. */
    public ReplayResult lead() {
        return results.get(first);
    }
}
