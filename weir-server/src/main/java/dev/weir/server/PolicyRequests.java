package dev.weir.server;

import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes requests from what HTTP clients send: a policy of the configuration, or limits of their own. Keys under own limits have
 * one state each, which all their limits share. Thread-safe.
 */
final class PolicyRequests {
    private static final int MAX_KNOWN = 1_024;

    private final LiveConfiguration configuration;
    private final Limiters limiters;
    private final Map<List<String>, Limits> known = new ConcurrentHashMap<>();

    PolicyRequests(LiveConfiguration configuration, Limiters limiters) {
        this.configuration = configuration;
        this.limiters = limiters;
    }

    /**
     * Returns a request.
     *
     * @param policy the name of a policy, if one is given
     * @param limits the texts of limits, if no policy is given
     * @throws HttpProblem if anything is not valid
     */
    Request request(Optional<String> policy, List<String> limits, String key, long permits) {
        if (policy.isPresent() == !limits.isEmpty()) {
            throw HttpProblem.badRequest("a request needs either a policy or limits");
        }
        try {
            Limits inForce = policy.map(this::configured).orElseGet(() -> parsed(limits));
            RateLimiter limiter = limiters.policy(policy.orElse(Limiters.UNNAMED));
            return limiter.request(key, permits, inForce);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private Limits configured(String policy) {
        Limits limits = configuration.current().policies().get(policy);
        if (limits == null) {
            throw new HttpProblem(404, "there is no policy '" + policy + "'");
        }
        return limits;
    }

    /** The same limits are the same object, which the store recognizes, unless more than 1,024 different ones are in use. */
    private Limits parsed(List<String> texts) {
        Limits limits = known.get(texts);
        if (limits == null) {
            limits = Limits.parse(texts.toArray(String[]::new));
            store().check(limits);
            if (known.size() >= MAX_KNOWN) {
                known.clear();
            }
            known.put(List.copyOf(texts), limits);
        }
        return limits;
    }

    private Store store() {
        return limiters.store();
    }
}
