package dev.weir.server.http;

import dev.weir.Accounting;
import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.KeySnapshot.Fit;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.KeySnapshot.Run;
import dev.weir.Limit;
import dev.weir.Status;
import dev.weir.server.live.DenialTimes;
import dev.weir.server.live.RuleId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a key as operators see it. A rule that denies everything is shown with a limit of 0, not with the limit of its requests.
 *
 * @param rule the rule that limits it
 * @param permits the permits that are asked for
 * @param next what a request for them would be answered
 * @param tried what the candidate of the rule says of it, if there is one
 * @param state its state
 * @param denied the denials by each of its limits, in the bins of {@link DenialTimes}
 */
record KeyReport(
        RuleId rule, long permits, Decision next, Optional<Decision> tried, KeySnapshot state, List<long[]> denied) {
    /** The most runs that are read of a log. */
    static final int MAX_RUNS = 10_000;

    /** The media type of a trace. */
    static final String CSV = "text/csv; charset=utf-8";

    private static final String BLOCKED = "blocked by an operator";
    private static final String NOT_BY_STORE = "the store is full or does not answer";
    private static final int MAX_RUNS_SHOWN = 100;
    private static final long[] NOT_KNOWN = {};
    private static final long NANOS_PER_MILLI = 1_000_000;

    JsonObject json() {
        JsonArray explained = rule.denies() ? new JsonArray().add(explainDenying()) : explain();
        tried.filter(decision -> !decision.degraded())
                .ifPresent(decision -> decision.statuses()
                        .forEach(status -> explained.add(explain(status, status.remaining(), "candidate", null))));
        JsonObject json = new JsonObject()
                .put("rule", rule.name())
                .put("time", state.time().toString())
                .put("next", rule.denies() ? nextOfDenying() : DecisionReply.json(next))
                .put("explain", explained)
                .put("limits", rule.denies() ? new JsonArray().add(denying()) : limits());
        state.blockedUntil().ifPresent(until -> json.put("blockedUntil", until.toString()));
        return json;
    }

    private JsonArray limits() {
        JsonArray limits = new JsonArray();
        for (int i = 0; i < state.limits().size(); i++) {
            limits.add(json(state.limits().get(i), i < denied.size() ? denied.get(i) : NOT_KNOWN));
        }
        return limits;
    }

    /** Returns the limit of a rule that denies everything. */
    private JsonObject denying() {
        JsonObject never = new JsonObject().put("permits", 1).putNull("afterMillis");
        return new JsonObject()
                .put("limit", rule.text(0))
                .put("remaining", 0)
                .put("used", 0)
                .put("of", 0)
                .put("runs", new JsonArray())
                .put("truncated", false)
                .putNull("timeline")
                .put("fits", new JsonArray().add(never))
                .put("pending", new JsonArray());
    }

    private JsonObject nextOfDenying() {
        JsonObject status = new JsonObject()
                .put("request", 0)
                .put("limit", rule.text(0))
                .put("remaining", 0)
                .put("resetAfterSeconds", 0);
        return DecisionReply.json(next)
                .put("remaining", 0)
                .put("resetAfterSeconds", 0)
                .put("statuses", new JsonArray().add(status));
    }

    private JsonObject explainDenying() {
        String reason = next.blocked() ? BLOCKED + ": denies" : "a limit of 0: denies everything";
        return explanation(rule.text(0), rule.mode().text(), 0, 0, true, reason);
    }

    private JsonArray explain() {
        JsonArray explained = new JsonArray();
        List<Status> statuses = next.statuses();
        String cause = next.blocked() ? BLOCKED : next.degraded() ? NOT_BY_STORE : null;
        for (int i = 0; i < statuses.size(); i++) {
            boolean byUse = cause == null || i >= state.limits().size(); // else the decision does not say what remains
            long remaining =
                    byUse ? statuses.get(i).remaining() : state.limits().get(i).remaining();
            explained.add(explain(statuses.get(i), remaining, rule.mode().text(), cause));
        }
        return explained;
    }

    /** Explains what a limit says; the cause is null if the use of the key decides. */
    private JsonObject explain(Status status, long remaining, String mode, @Nullable String cause) {
        Limit limit = status.limit();
        long of = limit.maxPermitsPerRequest();
        long used = Math.max(0, of - remaining);
        boolean denies = cause == null ? status.retryAfterNanos() > 0 : !next.allowed();
        String reason = cause == null ? reason(used, of, denies) : cause + (denies ? ": denies" : ": allows");
        return explanation(limit.toString(), mode, used, of, denies, reason);
    }

    private JsonObject explanation(String limit, String mode, long used, long of, boolean denies, String reason) {
        return new JsonObject()
                .put("rule", rule.name())
                .put("limit", limit)
                .put("mode", mode)
                .put("used", used)
                .put("of", of)
                .put("denies", denies)
                .put("reason", reason);
    }

    private String reason(long used, long of, boolean denies) {
        String asked = permits == 1 ? "" : " " + permits + " permits";
        return used + " of " + of + " used: " + (denies ? "denies" : "allows") + asked;
    }

    private JsonObject json(LimitSnapshot limit, long[] deniedByTime) {
        List<Run> runs = limit.runs();
        List<Run> newest = runs.subList(Math.max(0, runs.size() - MAX_RUNS_SHOWN), runs.size());
        long of = limit.limit().maxPermitsPerRequest();
        JsonArray fits = new JsonArray();
        limit.fits().forEach(fit -> fits.add(json(fit)));
        return new JsonObject()
                .put("limit", limit.limit().toString())
                .put("remaining", limit.remaining())
                .put("used", Math.max(0, of - limit.remaining()))
                .put("of", of)
                .put("runs", json(newest))
                .put("truncated", limit.truncated() || newest.size() < runs.size())
                .put("timeline", timeline(limit, deniedByTime))
                .put("fits", fits)
                .put("pending", json(limit.pending()));
    }

    private static JsonArray json(List<Run> runs) {
        JsonArray array = new JsonArray();
        runs.forEach(
                run -> array.add(new JsonObject().put("at", run.at().toString()).put("permits", run.permits())));
        return array;
    }

    /** Rounded up, so that whoever waits that long is not too early. */
    private JsonObject json(Fit fit) {
        Long millis = null;
        if (fit.at() != null) {
            long nanos = Math.max(0, Duration.between(state.time(), fit.at()).toNanos());
            millis = -Math.floorDiv(-nanos, NANOS_PER_MILLI);
        }
        return new JsonObject().put("permits", fit.permits()).put("afterMillis", millis);
    }

    /**
     * Returns the permits that count now, by the time at which they were granted or, where attempts count, requested; and the
     * requests that were denied. Null for algorithms without a log.
     */
    private @Nullable JsonObject timeline(LimitSnapshot limit, long[] deniedByTime) {
        if (!hasLog(limit.limit())) {
            return null;
        }
        long windowMillis = DenialTimes.windowMillis(limit.limit());
        long binMillis = DenialTimes.binMillis(limit.limit());
        long[] bins = new long[(int) ((windowMillis + binMillis - 1) / binMillis)];
        Instant from = state.time().minusMillis(binMillis * bins.length);
        for (Run run : limit.runs()) {
            long bin = Math.floorDiv(Duration.between(from, run.at()).toMillis(), binMillis);
            bins[(int) Math.max(0, Math.min(bins.length - 1, bin))] += run.permits();
        }
        JsonArray permits = new JsonArray();
        JsonArray attempts = new JsonArray();
        for (int i = 0; i < bins.length; i++) {
            permits.add(bins[i]);
            attempts.add(i < deniedByTime.length ? deniedByTime[i] : 0);
        }
        return new JsonObject()
                .put("from", from.toString())
                .put("binMillis", binMillis)
                .put("windowMillis", windowMillis)
                .put("truncated", limit.truncated())
                .put("permits", permits)
                .put("denied", attempts);
    }

    private static boolean hasLog(Limit limit) {
        return limit instanceof Limit.SlidingLog
                || limit instanceof Limit.SlidingWindow
                || limit instanceof Limit.FixedWindow;
    }

    /**
     * Returns the log of the limit with the longest window as a trace, which {@code weir verify} reads.
     *
     * @throws HttpProblem if it has attempts: it is not known which of them were granted
     */
    static String trace(KeySnapshot state, String key) {
        StringBuilder csv = new StringBuilder("time_nanos,key,permits,allowed\n");
        String quoted = "\"" + key.replace("\"", "\"\"") + "\"";
        state.limits().stream()
                .max(Comparator.comparingLong(limit -> limit.limit().windowNanos()))
                .ifPresent(limit -> {
                    if (limit.limit().accounting().method() == Accounting.Method.LOG_OF_ATTEMPTS) {
                        throw new HttpProblem(
                                409,
                                "the log of '" + limit.limit() + "' has attempts, so it does not say what was granted");
                    }
                    limit.runs()
                            .forEach(run -> csv.append(ChronoUnit.NANOS.between(Instant.EPOCH, run.at()))
                                    .append(',')
                                    .append(quoted)
                                    .append(',')
                                    .append(run.permits())
                                    .append(",1\n"));
                });
        return csv.toString();
    }
}
