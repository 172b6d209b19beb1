package dev.weir.server.http;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.internal.Durations;
import dev.weir.server.config.Configuration;
import dev.weir.server.config.Configuration.Match;
import dev.weir.server.config.KeyText;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.config.Rule;
import dev.weir.server.config.RuleLevel;
import dev.weir.server.decision.Candidates;
import dev.weir.server.decision.Limiters;
import dev.weir.server.decision.MatchExplanation;
import dev.weir.server.http.HttpCall.Parameters;
import dev.weir.server.live.KeyNames;
import dev.weir.server.live.LiveSampler;
import dev.weir.server.live.RuleId;
import dev.weir.store.Store;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/keys/KEY}: the state of a key, of a policy or of a descriptor, for operators: what it is and which rule it follows,
 * reset, block and unblock. Thread-safe.
 */
public final class KeysEndpoint {
    private static final List<String> PARAMETERS = List.of("policy", "limit", "domain");
    private static final List<String> SHOW_PARAMETERS = List.of("policy", "limit", "domain", "permits");
    private static final List<String> BLOCK_PARAMETERS = List.of("policy", "limit", "domain", "for");
    private static final Duration LONGEST_BLOCK = Duration.ofDays(36_500); // a store may cut one of more than 142 years
    private static final int NO_CONTENT = 204;

    private final PolicyRequests policies;
    private final LiveConfiguration configuration;
    private final Limiters limiters;
    private final LiveSampler live;
    private final Candidates candidates;
    private final KeyNames names;

    public KeysEndpoint(
            PolicyRequests policies,
            LiveConfiguration configuration,
            Limiters limiters,
            LiveSampler live,
            Candidates candidates,
            KeyNames names) {
        this.policies = policies;
        this.configuration = configuration;
        this.limiters = limiters;
        this.live = live;
        this.candidates = candidates;
        this.names = names;
    }

    /** A key and the rule that limits it, with what its candidate is asked, if there is one, and why this rule and no other one. */
    private record Target(
            RuleId rule,
            Request request,
            long permits,
            @Nullable Request candidate,
            JsonObject explanation) {}

    /** Returns what the key's next request would be answered, its log, and how its limits come to that. */
    CompletableFuture<HttpReply> show(HttpCall call, String key) {
        Target target = target(call.parameters(SHOW_PARAMETERS), key);
        CompletableFuture<Decision> next = store().peekAsync(target.request);
        CompletableFuture<Optional<Decision>> tried = target.candidate == null
                ? CompletableFuture.completedFuture(Optional.empty())
                : candidates.store().peekAsync(target.candidate).thenApply(Optional::of);
        CompletableFuture<KeySnapshot> state = store().inspectAsync(target.request, KeyReport.MAX_RUNS);
        CompletableFuture<List<long[]>> denied = live.denials(target.rule, target.request.key());
        return CompletableFuture.allOf(next, tried, state, denied).thenApply(all -> {
            KeyReport report =
                    new KeyReport(target.rule, target.permits, next.join(), tried.join(), state.join(), denied.join());
            return HttpReply.json(
                    report.json().put("key", names.shown(target.request.key())).mergeIn(target.explanation));
        });
    }

    /** Returns the key's log as a trace. */
    CompletableFuture<HttpReply> trace(HttpCall call, String key) {
        Target target = target(call.parameters(PARAMETERS), key);
        String shown = names.shown(target.request.key());
        return store().inspectAsync(target.request, KeyReport.MAX_RUNS)
                .thenApply(state -> new HttpReply(200, Map.of(), KeyTrace.CSV, KeyTrace.of(target.rule, state, shown)));
    }

    /** Forgets what the key was granted, by the candidate, too. */
    CompletableFuture<HttpReply> reset(HttpCall call, String key) {
        Target target = target(call.parameters(PARAMETERS), key);
        CompletableFuture<Void> change = store().resetAsync(target.request);
        if (target.candidate != null) {
            change = CompletableFuture.allOf(change, candidates.store().resetAsync(target.candidate));
        }
        return done(change, () -> unblocked(target));
    }

    /** Denies all requests for the key, for the given duration. */
    CompletableFuture<HttpReply> block(HttpCall call, String key) {
        Parameters parameters = call.parameters(BLOCK_PARAMETERS);
        Duration duration = duration(parameters
                .one("for")
                .orElseThrow(() -> HttpProblem.badRequest("parameter 'for' must say how long, such as 10m")));
        Target target = target(parameters, key);
        CompletableFuture<Void> change = store().blockAsync(target.request, duration.toNanos());
        return done(
                change,
                () -> live.blocked(
                        target.rule, target.request.key(), Instant.now().plus(duration)));
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

    private static Duration duration(String text) {
        try {
            Duration duration = Durations.parse(text);
            if (duration.compareTo(Duration.ZERO) > 0 && duration.compareTo(LONGEST_BLOCK) <= 0) {
                return duration;
            }
        } catch (DateTimeParseException none) {
            // reported below
        }
        throw HttpProblem.badRequest(
                "for must be a duration longer than 0 such as 10m, and at most 36500d, was '" + text + "'");
    }

    private Target target(Parameters parameters, String given) {
        if (parameters.one("domain").isPresent()) {
            if (parameters.one("policy").isPresent() || !parameters.all("limit").isEmpty()) {
                throw HttpProblem.badRequest("a descriptor of a domain has the limit of its rule");
            }
            try {
                return descriptor(parameters.one("domain").get(), given, parameters.permits());
            } catch (IllegalArgumentException e) {
                throw HttpProblem.badRequest(String.valueOf(e.getMessage()));
            }
        }
        if (parameters.one("policy").isEmpty() && parameters.all("limit").isEmpty()) {
            throw HttpProblem.badRequest("a key needs a policy, limits or a domain, such as ?policy=api");
        }
        Request request = policies.request(
                parameters.one("policy"),
                parameters.all("limit"),
                known(given, names.resolve(given)),
                parameters.permits());
        Rule policy = configuration.current().policies().get(request.limiter());
        return target(
                RuleId.of(request),
                request,
                request.permits(),
                policy == null ? null : policy.candidate(),
                new JsonObject());
    }

    private Target descriptor(String domain, String given, long permits) {
        List<Entry> entries = entries(known(given, names.resolveEntries(given)));
        Configuration inForce = configuration.current();
        RuleLevel rules = inForce.domains().get(domain);
        if (rules == null) {
            throw new HttpProblem(404, "there is no domain '" + domain + "'");
        }
        JsonObject explanation = new MatchExplanation(domain, rules, entries).json();
        Match match = inForce.match(domain, entries);
        if (match == null) {
            throw new HttpProblem(
                    404, "no rule of domain '" + domain + "' limits '" + given + "'", Map.of(), explanation);
        }
        Rule rule = match.rule();
        return target(
                RuleId.of(rule),
                limiters.descriptor(rule.limits(), match.key(), rule.permits(permits)),
                permits,
                rule.candidate(),
                explanation);
    }

    /** Returns what a name means: if it is not known, it must not be taken for a key that nobody has. */
    private static String known(String name, @Nullable String meant) {
        if (meant == null) {
            throw new HttpProblem(404, "no key is known as '" + name + "'; list the keys again");
        }
        return meant;
    }

    private static List<Entry> entries(String text) {
        List<String> parts = KeyText.parse(text);
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < parts.size(); i += 2) {
            entries.add(Entry.newBuilder()
                    .setKey(parts.get(i))
                    .setValue(parts.get(i + 1))
                    .build());
        }
        return entries;
    }

    private Target target(
            RuleId rule, Request request, long permits, @Nullable Limits candidate, JsonObject explanation) {
        Request tried =
                candidate == null ? null : candidates.request(request.limiter(), candidate, request.key(), permits);
        return new Target(rule, request, permits, tried, explanation);
    }

    private Store store() {
        return limiters.store();
    }
}
