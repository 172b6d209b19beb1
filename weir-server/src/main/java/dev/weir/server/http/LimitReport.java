package dev.weir.server.http;

import dev.weir.KeySnapshot.Fit;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.KeySnapshot.Run;
import dev.weir.Limit;
import dev.weir.server.live.DenialTimes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of one limit of a key as operators see it: its log, and when how many permits fit. */
final class LimitReport {
    /** The state of a limit of 0. */
    static final LimitSnapshot NEVER =
            new LimitSnapshot(Limit.unlimited(), 0, List.of(), List.of(), false, List.of(new Fit(1, null)));

    private static final int MAX_RUNS_SHOWN = 100;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private LimitReport() {}

    /**
     * Returns a report.
     *
     * @param time the time of the state
     * @param denied the denials by the limit, in the bins of {@link DenialTimes}; empty if they are not known
     */
    static JsonObject json(ShownLimit limit, LimitSnapshot state, Instant time, long[] denied) {
        List<Run> runs = state.runs();
        List<Run> newest = runs.subList(Math.max(0, runs.size() - MAX_RUNS_SHOWN), runs.size());
        return new JsonObject()
                .put("limit", limit.text())
                .put("remaining", state.remaining())
                .put("used", limit.used(state.remaining()))
                .put("of", limit.of())
                .put("runs", json(newest))
                .put("truncated", state.truncated() || newest.size() < runs.size())
                .put("timeline", timeline(state, time, denied))
                .put(
                        "fits",
                        new JsonArray(state.fits().stream()
                                .map(fit -> json(fit, time))
                                .toList()))
                .put("pending", json(state.pending()));
    }

    private static JsonArray json(List<Run> runs) {
        return new JsonArray(runs.stream()
                .map(run -> new JsonObject().put("at", run.at().toString()).put("permits", run.permits()))
                .toList());
    }

    /** Rounded up, so that whoever waits that long is not too early. */
    private static JsonObject json(Fit fit, Instant time) {
        Long millis = null;
        if (fit.at() != null) {
            long nanos = Math.max(0, Duration.between(time, fit.at()).toNanos());
            millis = -Math.floorDiv(-nanos, NANOS_PER_MILLI);
        }
        return new JsonObject().put("permits", fit.permits()).put("afterMillis", millis);
    }

    /**
     * Returns the permits that count now, by the time at which they were granted or, where attempts count, requested; and the
     * requests that were denied. Null for algorithms without a log.
     */
    private static @Nullable JsonObject timeline(LimitSnapshot state, Instant time, long[] denied) {
        if (!hasLog(state.limit())) {
            return null;
        }
        long windowMillis = DenialTimes.windowMillis(state.limit());
        long binMillis = DenialTimes.binMillis(state.limit());
        long[] bins = new long[(int) ((windowMillis + binMillis - 1) / binMillis)];
        Instant from = time.minusMillis(binMillis * bins.length);
        for (Run run : state.runs()) {
            long bin = Math.floorDiv(Duration.between(from, run.at()).toMillis(), binMillis);
            bins[(int) Math.max(0, Math.min(bins.length - 1, bin))] += run.permits();
        }
        JsonArray permits = new JsonArray();
        JsonArray attempts = new JsonArray();
        for (int i = 0; i < bins.length; i++) {
            permits.add(bins[i]);
            attempts.add(i < denied.length ? denied[i] : 0);
        }
        return new JsonObject()
                .put("from", from.toString())
                .put("binMillis", binMillis)
                .put("windowMillis", windowMillis)
                .put("truncated", state.truncated())
                .put("permits", permits)
                .put("denied", attempts);
    }

    /** Whether the algorithm of a limit keeps a log. The counters of a fixed window do not say when permits were granted. */
    static boolean hasLog(Limit limit) {
        return limit instanceof Limit.SlidingLog || limit instanceof Limit.SlidingWindow;
    }
}
