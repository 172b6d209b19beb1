package dev.weir.server.decision;

import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.LimiterListener;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.server.config.ReservedNames;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The limiters of the server, one for Envoy's descriptors and one for each policy, on one store. Limits are those of the
 * configuration in force and come with each request, so limiters and their state outlive configurations. Thread-safe.
 */
public final class Limiters {
    private final Store store;
    private final FailurePolicy policy;
    private final List<LimiterListener> listeners;
    private final RateLimiter envoy;
    private final Map<String, RateLimiter> byName = new ConcurrentHashMap<>();

    /**
     * Creates limiters.
     *
     * @param store their store
     * @param policy what decides while the store fails, or null if nothing shall: decisions that need it are then degraded denials
     * @param listeners are notified of decisions, on event loops
     */
    public Limiters(Store store, @Nullable FailurePolicy policy, LimiterListener... listeners) {
        this.store = store;
        this.listeners = List.of(listeners);
        this.policy = policy == null ? FailurePolicy.closed() : policy;
        this.envoy = limiter(ReservedNames.ENVOY);
    }

    /** Limiters run what follows a decision on the thread that decided: nothing in the server blocks. */
    private RateLimiter limiter(String name) {
        RateLimiter.Builder limiter = RateLimiter.builder()
                .name(name)
                .limit(Limit.unlimited())
                .store(store)
                .whenStoreFails(policy)
                .executor(Runnable::run);
        listeners.forEach(limiter::listener);
        return limiter.build();
    }

    /** Returns the request of a descriptor. */
    Request request(Descriptor descriptor) {
        return descriptor(descriptor.rule().limits(), descriptor.key(), descriptor.permits());
    }

    /** Returns a request for a descriptor. */
    public Request descriptor(Limits limits, String key, long permits) {
        return envoy.request(key, permits, limits);
    }

    /** Returns the limiter of a policy, or of requests with their own limits. */
    public RateLimiter policy(String name) {
        return byName.computeIfAbsent(name, this::limiter);
    }

    /** Forgets the limiters of policies that a configuration no longer has. */
    public void retain(Set<String> names) {
        byName.keySet().retainAll(names);
    }

    /** Returns the limiter of descriptors. */
    RateLimiter envoy() {
        return envoy;
    }

    /** Returns whether decisions are made at once, without waiting for another program. */
    boolean decideAtOnce() {
        return store instanceof MemoryStore;
    }

    public Store store() {
        return store;
    }
}
