package dev.weir.server.http;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.config.ReservedNames;
import dev.weir.server.decision.Interned;
import dev.weir.server.decision.Limiters;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Makes requests from what HTTP clients send: a policy of the configuration, or limits of their own. Keys under own limits have
 * one state each, which all their limits share. Thread-safe.
 */
public final class PolicyRequests {
    private final LiveConfiguration configuration;
    private final Limiters limiters;
    private final Interned<List<String>, Limits> own = new Interned<>(this::parsed);

    public PolicyRequests(LiveConfiguration configuration, Limiters limiters) {
        this.configuration = configuration;
        this.limiters = limiters;
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

    /** Returns what a request would be answered. */
    CompletableFuture<Decision> peek(Request request) {
        return limiters.policy(request.limiter()).peekAsync(request);
    }

    private Limits configured(String policy) {
        Limits limits = configuration.current().policies().get(policy);
        if (limits == null) {
            throw new HttpProblem(404, "there is no policy '" + policy + "'");
        }
        return limits;
    }

    private Limits parsed(List<String> texts) {
        Limits limits = Limits.parse(texts.toArray(String[]::new));
        limiters.store().check(limits);
        return limits;
    }
}
