package dev.weir.server.http;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.internal.Futures;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.config.ReservedNames;
import dev.weir.server.config.Rule;
import dev.weir.server.decision.Interned;
import dev.weir.server.decision.Limiters;
import dev.weir.server.decision.LiveDecisions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Makes requests from what HTTP clients send, and decides on them: a policy of the configuration, or limits of their own. Keys under
 * own limits have one state each, which all their limits share. Thread-safe.
 */
public final class PolicyRequests {
    private final LiveConfiguration configuration;
    private final Limiters limiters;
    private final LiveDecisions live;
    private final Interned<List<String>, Limits> own = new Interned<>(this::parsed);

    /**
     * Creates a maker of requests.
     *
     * @param live records what is decided
     */
    public PolicyRequests(LiveConfiguration configuration, Limiters limiters, LiveDecisions live) {
        this.configuration = configuration;
        this.limiters = limiters;
        this.live = live;
    }

    /**
     * Returns a request.
     *
     * @param policy the name of a policy, if one is given
     * @param limits the texts of limits, if no policy is given; unmodifiable
     * @throws HttpProblem if anything is not valid
     */
    Request request(Optional<String> policy, List<String> limits, String key, long permits) {
        if (policy.isPresent() == !limits.isEmpty()) {
            throw HttpProblem.badRequest("a request needs either a policy or limits");
        }
        try {
            Limits inForce = policy.map(this::configured).orElseGet(() -> own.get(limits));
            RateLimiter limiter = limiters.policy(policy.orElse(ReservedNames.UNNAMED));
            return limiter.request(key, permits, inForce);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Decides on requests, which are allowed together or take nothing.
     *
     * @return a future that fails with an {@link HttpProblem} if there are too many requests, if one of them is there twice, or if all
     *     their keys together have more limits than the store decides at once
     */
    CompletableFuture<Decision> decide(List<Request> requests) {
        long began = live.begin();
        return Futures.attempt(() -> RateLimiter.tryAcquireAllAsync(requests.toArray(Request[]::new)))
                .handle((decision, failure) -> {
                    if (failure != null) {
                        throw refused(Futures.cause(failure));
                    }
                    live.requests(began, requests, decision);
                    return decision;
                });
    }

    private static RuntimeException refused(Throwable failure) {
        return failure instanceof IllegalArgumentException
                ? HttpProblem.badRequest(String.valueOf(failure.getMessage()))
                : new CompletionException(failure);
    }

    /** Returns what a request would be answered. */
    CompletableFuture<Decision> peek(Request request) {
        return limiters.policy(request.limiter()).peekAsync(request);
    }

    private Limits configured(String policy) {
        Rule rule = configuration.current().policies().get(policy);
        if (rule == null) {
            throw new HttpProblem(404, "there is no policy '" + policy + "'");
        }
        return rule.limits();
    }

    private Limits parsed(List<String> texts) {
        Limits limits = Limits.parse(texts.toArray(String[]::new));
        limiters.store().check(limits);
        return limits;
    }
}
