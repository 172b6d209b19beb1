package dev.weir.server;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.Limit;
import dev.weir.Request;
import dev.weir.server.Configuration.Match;
import dev.weir.server.HttpCall.Parameters;
import dev.weir.server.live.LiveSampler;
import dev.weir.server.live.RuleId;
import dev.weir.store.Store;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@code /v1/keys/KEY}: the state of a key, of a policy or of a descriptor, for operators: what it is and which rule it follows,
 * reset, block and unblock. Thread-safe.
 */
final class KeysEndpoint {
    private static final List<String> PARAMETERS = List.of("policy", "limit", "domain", "permits");
    private static final List<String> BLOCK_PARAMETERS = List.of("policy", "limit", "domain", "for");
    private static final int NO_CONTENT = 204;
    private static final int MAX_RUNS = 100;

    private final PolicyRequests policies;
    private final LiveConfiguration configuration;
    private final Limiters limiters;
    private final LiveSampler live;

    KeysEndpoint(PolicyRequests policies, LiveConfiguration configuration, Limiters limiters, LiveSampler live) {
        this.policies = policies;
        this.configuration = configuration;
        this.limiters = limiters;
        this.live = live;
    }

    /** A key and the rule that limits it. */
    private record Target(RuleId rule, Request request) {}

    /** Returns what the key's next request would be answered, and its log. */
    CompletableFuture<HttpReply> show(HttpCall call, String key) {
        Target target = target(call.parameters(PARAMETERS), key);
        CompletableFuture<Decision> decision = store().peekAsync(target.request);
        CompletableFuture<KeySnapshot> snapshot = store().inspectAsync(target.request, MAX_RUNS);
        return decision.thenCombine(snapshot, (next, state) -> HttpReply.json(json(target, next, state)));
    }

    /** Forgets what the key was granted. */
    CompletableFuture<HttpReply> reset(HttpCall call, String key) {
        Target target = target(call.parameters(PARAMETERS), key);
        return done(store().resetAsync(target.request), () -> unblocked(target));
    }

    /** Denies all requests for the key, for the given duration. */
    CompletableFuture<HttpReply> block(HttpCall call, String key) {
        Parameters parameters = call.parameters(BLOCK_PARAMETERS);
        String duration = parameters
                .one("for")
                .orElseThrow(() -> HttpProblem.badRequest("parameter 'for' must say how long, such as 10m"));
        Target target = target(parameters, key);
        long nanos = nanos(duration);
        CompletableFuture<Void> change = store().blockAsync(target.request, nanos);
        return done(
                change,
                () -> live.blocked(
                        target.rule, target.request.key(), Instant.now().plusNanos(nanos)));
    }

    /** Lifts the block of the key. */
    CompletableFuture<HttpReply> unblock(HttpCall call, String key) {
        Target target = target(call.parameters(PARAMETERS), key);
        return done(store().unblockAsync(target.request), () -> unblocked(target));
    }

    private void unblocked(Target target) {
        live.unblocked(target.rule, target.request.key());
    }

    private static CompletableFuture<HttpReply> done(CompletableFuture<Void> change, Runnable note) {
        return change.thenApply(changed -> {
            note.run();
            return HttpReply.empty(NO_CONTENT);
        });
    }

    /** Durations are written as in limits. */
    private static long nanos(String duration) {
        try {
            return Limit.parse("1/" + duration).windowNanos();
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("for must be a duration such as 10m, was '" + duration + "'");
        }
    }

    private Target target(Parameters parameters, String key) {
        if (parameters.one("domain").isPresent()) {
            if (parameters.one("policy").isPresent() || !parameters.all("limit").isEmpty()) {
                throw HttpProblem.badRequest("a descriptor of a domain has the limit of its rule");
            }
            return descriptor(parameters.one("domain").get(), key, AuthEndpoint.permits(parameters));
        }
        Request request = policies.request(
                parameters.one("policy"), parameters.all("limit"), key, AuthEndpoint.permits(parameters));
        return new Target(RuleIds.of(request), request);
    }

    private Target descriptor(String domain, String text, long permits) {
        try {
            List<String> parts = KeyText.parse(text);
            List<Entry> entries = new ArrayList<>();
            for (int i = 0; i < parts.size(); i += 2) {
                entries.add(Entry.newBuilder()
                        .setKey(parts.get(i))
                        .setValue(parts.get(i + 1))
                        .build());
            }
            Match match = configuration.current().match(domain, entries);
            if (match == null) {
                throw new HttpProblem(404, "no rule of domain '" + domain + "' limits '" + text + "'");
            }
            Rule rule = match.rule();
            return new Target(RuleIds.of(rule), limiters.descriptor(rule.limits(), match.key(), rule.permits(permits)));
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private Store store() {
        return limiters.store();
    }

    private static JsonObject json(Target target, Decision next, KeySnapshot state) {
        JsonArray limits = new JsonArray();
        state.limits().forEach(limit -> limits.add(json(limit)));
        JsonObject json = new JsonObject()
                .put("rule", target.rule.name())
                .put("key", target.request.key())
                .put("time", state.time().toString())
                .put("next", DecisionReply.json(next))
                .put("limits", limits);
        state.blockedUntil().ifPresent(until -> json.put("blockedUntil", until.toString()));
        return json;
    }

    private static JsonObject json(LimitSnapshot limit) {
        JsonArray runs = new JsonArray();
        limit.runs()
                .forEach(run ->
                        runs.add(new JsonObject().put("at", run.at().toString()).put("permits", run.permits())));
        return new JsonObject()
                .put("limit", limit.limit().toString())
                .put("remaining", limit.remaining())
                .put("runs", runs)
                .put("truncated", limit.truncated());
    }
}
