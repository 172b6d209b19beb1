package dev.weir.server.http;

import static dev.weir.internal.Durations.wholeSeconds;

import dev.weir.Decision;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.http.HeaderForm;
import dev.weir.http.RateLimitResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes decisions as HTTP responses. Thread-safe. */
public final class DecisionReply {
    private static final int OK = 200;
    private static final Set<HeaderForm> HEADERS = Set.of(HeaderForm.RATE_LIMIT);
    private static final String RETRY_AFTER = "Retry-After";

    private final boolean shadow;
    private final boolean needsStore;

    /**
     * Creates a writer.
     *
     * @param shadow whether no request is denied
     * @param needsStore whether a request fails while the store does, instead of being decided without it
     */
    public DecisionReply(boolean shadow, boolean needsStore) {
        this.shadow = shadow;
        this.needsStore = needsStore;
    }

    /**
     * Returns the response to a decision.
     *
     * @param denied the status of a denial
     * @throws HttpProblem if the decision needed the store, which failed
     */
    HttpReply of(Decision decision, List<Request> requests, int denied) {
        if (needsStore && decision.degraded()) {
            throw new HttpProblem(503, "the store failed; the log of the server says why");
        }
        RateLimitResponse response = RateLimitResponse.of(decision, requests);
        Map<String, String> headers = response.headers(HEADERS);
        if (decision.allowed()) {
            return HttpReply.decision(OK, headers, json(decision));
        } else if (shadow) {
            Map<String, String> allowed = new LinkedHashMap<>(headers);
            allowed.remove(RETRY_AFTER);
            return HttpReply.decision(
                    OK, allowed, json(decision).put("allowed", true).put("shadow", true));
        }
        JsonObject problem = new JsonObject(response.problem()).put("status", denied);
        return HttpReply.decision(denied, headers, problem.mergeIn(json(decision)));
    }

    /**
     * Returns a decision as JSON. Times are in seconds, rounded up, as in the headers; a request that is never allowed has no
     * retry-after.
     */
    static JsonObject json(Decision decision) {
        JsonObject json = new JsonObject()
                .put("allowed", decision.allowed())
                .put("remaining", remaining(decision))
                .put("resetAfterSeconds", wholeSeconds(decision.resetAfterNanos()));
        if (!decision.allowed() && !decision.never()) {
            json.put("retryAfterSeconds", decision.retryAfterSeconds());
        }
        if (decision.blocked()) {
            json.put("blocked", true);
        }
        if (decision.degraded()) {
            json.put("degraded", true);
        }
        JsonArray statuses = new JsonArray();
        decision.statuses().forEach(status -> statuses.add(json(status)));
        return json.put("statuses", statuses);
    }

    /** Returns what all limits would still allow now. */
    private static long remaining(Decision decision) {
        return decision.statuses().stream()
                .mapToLong(RateLimitResponse::remainingNow)
                .min()
                .orElseThrow();
    }

    private static JsonObject json(Status status) {
        JsonObject json = new JsonObject()
                .put("request", status.request())
                .put("limit", status.limit().toString())
                .put("remaining", RateLimitResponse.remainingNow(status))
                .put("resetAfterSeconds", wholeSeconds(status.resetAfterNanos()));
        if (status.retryAfterNanos() > 0 && status.retryAfterNanos() < Long.MAX_VALUE) {
            json.put("retryAfterSeconds", wholeSeconds(status.retryAfterNanos()));
        }
        return json;
    }
}
