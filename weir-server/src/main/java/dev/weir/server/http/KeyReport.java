package dev.weir.server.http;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.Status;
import dev.weir.internal.Durations;
import dev.weir.server.live.DenialTimes;
import dev.weir.server.live.RuleId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a key as operators see it.
 *
 * @param permits the permits that are asked for
 * @param next what a request for them would be answered
 * @param tried what the candidate of the rule says of it, if there is one
 * @param denied the denials by each of its limits, in the bins of {@link DenialTimes}; empty if they are not known
 */
record KeyReport(
        RuleId rule, long permits, Decision next, Optional<Decision> tried, KeySnapshot state, List<long[]> denied) {
    /** The most runs that are read of a log. */
    static final int MAX_RUNS = 10_000;

    private static final long[] NOT_KNOWN = {};

    JsonObject json() {
        JsonObject json = new JsonObject()
                .put("rule", rule.name())
                .put("time", state.time().toString())
                .put("next", nextAnswer())
                .put("explain", explain())
                .put("limits", limits());
        state.blockedUntil().ifPresent(until -> json.put("blockedUntil", until.toString()));
        return json;
    }

    /** Returns the answer to the next request; a rule that denies everything shows a limit of 0. */
    private JsonObject nextAnswer() {
        JsonObject json = DecisionReply.json(next);
        if (rule.denies()) {
            JsonObject status =
                    json.put("remaining", 0).getJsonArray("statuses").getJsonObject(0);
            status.put("limit", rule.text(0)).put("remaining", 0);
        }
        return json;
    }

    private JsonArray limits() {
        JsonArray limits = new JsonArray();
        for (int i = 0; i < state.limits().size(); i++) {
            LimitSnapshot limit = state.limits().get(i);
            limits.add(LimitReport.json(
                    ShownLimit.of(rule, limit.limit()),
                    rule.denies() ? LimitReport.NEVER : limit,
                    state.time(),
                    i < denied.size() ? denied.get(i) : NOT_KNOWN));
        }
        return limits;
    }

    /** Explains what each limit says of the next request, candidates last. */
    private JsonArray explain() {
        JsonArray explained = new JsonArray();
        String cause = cause();
        List<Status> statuses = next.statuses();
        for (int i = 0; i < statuses.size(); i++) {
            Status status = statuses.get(i);
            boolean denies = cause == null ? status.retryAfterNanos() > 0 : !next.allowed();
            long remaining = cause == null // else the decision does not say what remains
                    ? status.remaining()
                    : state.limits().get(i).remaining();
            ShownLimit limit = ShownLimit.of(rule, status.limit());
            explained.add(
                    explain(limit, remaining, denies, rule.mode().text(), cause == null ? used(limit, status) : cause));
        }
        tried.filter(decision -> !decision.degraded())
                .ifPresent(decision -> decision.statuses().forEach(status -> {
                    boolean denies = status.retryAfterNanos() > 0;
                    ShownLimit limit = ShownLimit.of(status.limit());
                    explained.add(explain(limit, status.remaining(), denies, "candidate", used(limit, status)));
                }));
        return explained;
    }

    /** Returns what decides on the next request; null if that is the use of the key. */
    private @Nullable String cause() {
        if (next.blocked()) {
            return "blocked by an operator";
        } else if (next.degraded()) {
            return "the store is full or does not answer";
        }
        return rule.denies() ? "a limit of 0" : null;
    }

    /** Returns how much of a limit is used, and the wait of a leaky bucket, which denies though there is room. */
    private String used(ShownLimit limit, Status status) {
        String used = limit.used(status.remaining()) + " of " + limit.of() + " used";
        boolean hasRoom = permits <= status.remaining();
        return hasRoom && status.retryAfterNanos() > 0
                ? used + ", the next in " + Durations.wholeSeconds(status.retryAfterNanos()) + "s"
                : used;
    }

    private JsonObject explain(ShownLimit limit, long remaining, boolean denies, String mode, String reason) {
        String asked = permits == 1 ? "" : " " + permits + " permits";
        return new JsonObject()
                .put("rule", rule.name())
                .put("limit", limit.text())
                .put("mode", mode)
                .put("used", limit.used(remaining))
                .put("of", limit.of())
                .put("denies", denies)
                .put("reason", reason + ": " + (denies ? "denies" : "allows") + asked);
    }
}
