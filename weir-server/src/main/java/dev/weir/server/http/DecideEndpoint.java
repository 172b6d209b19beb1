package dev.weir.server.http;

import com.fasterxml.jackson.core.JsonParser;
import dev.weir.Decision;
import dev.weir.Request;
import dev.weir.http.RateLimitResponse;
import dev.weir.internal.Spelling;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.JacksonCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@code POST /v1/decide}: one request, or several that are allowed together or take nothing; or a look at one. Thread-safe. */
public final class DecideEndpoint {
    private static final List<String> FIELDS = List.of("key", "permits", "policy", "limits");

    private final PolicyRequests policies;
    private final DecisionReply replies;

    public DecideEndpoint(PolicyRequests policies, DecisionReply replies) {
        this.policies = policies;
        this.replies = replies;
    }

    CompletableFuture<HttpReply> handle(HttpCall call) {
        Object body = decoded(call.text());
        boolean looks = body instanceof JsonObject object && Integer.valueOf(0).equals(object.getValue("permits"));
        List<Request> requests = requests(looks ? ((JsonObject) body).put("permits", 1) : body);
        CompletableFuture<Decision> decided = looks ? policies.peek(requests.get(0)) : policies.decide(requests);
        return decided.thenApply(decision -> replies.of(decision, requests, RateLimitResponse.TOO_MANY_REQUESTS));
    }

    private static Object decoded(String body) {
        JsonParser parser = JacksonCodec.createParser(body)
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .disable(JsonParser.Feature.ALLOW_COMMENTS);
        try {
            Object decoded = JacksonCodec.fromParser(parser, Object.class);
            if (decoded != null) {
                return decoded;
            }
        } catch (DecodeException e) {
            // reported below
        }
        throw HttpProblem.badRequest(
                "the body must be JSON with each field once, such as {\"key\":\"alice\",\"limits\":[\"3/1m\"]}, or a list of such objects");
    }

    private List<Request> requests(Object body) {
        List<Request> requests = new ArrayList<>();
        if (body instanceof JsonArray list) {
            list.forEach(element -> requests.add(request(element)));
        } else {
            requests.add(request(body));
        }
        return requests;
    }

    private Request request(Object body) {
        if (!(body instanceof JsonObject object)) {
            throw HttpProblem.badRequest("a request must be a JSON object");
        }
        for (String field : object.fieldNames()) {
            if (!FIELDS.contains(field)) {
                throw HttpProblem.badRequest("unknown field '" + field + "'" + Spelling.suggestion(field, FIELDS));
            }
        }
        if (!(object.getValue("key") instanceof String key)) {
            throw HttpProblem.badRequest("key must be a text");
        }
        return policies.request(policy(object), limits(object), key, permits(object));
    }

    private static Optional<String> policy(JsonObject object) {
        Object policy = object.getValue("policy");
        if (policy != null && !(policy instanceof String)) {
            throw HttpProblem.badRequest("policy must be a text");
        }
        return Optional.ofNullable((String) policy);
    }

    private static List<String> limits(JsonObject object) {
        Object limits = object.getValue("limits");
        if (limits == null) {
            return List.of();
        } else if (!(limits instanceof JsonArray list) || !list.stream().allMatch(String.class::isInstance)) {
            throw HttpProblem.badRequest("limits must be a list of texts, such as [\"3/1m\"]");
        }
        return ((JsonArray) limits).stream().map(String.class::cast).toList();
    }

    private static long permits(JsonObject object) {
        Object permits = object.getValue("permits", 1);
        if (permits instanceof Integer || permits instanceof Long) {
            return ((Number) permits).longValue();
        }
        throw HttpProblem.badRequest("permits must be a whole number, at least 1, or 0 to look");
    }
}
