package dev.weir.spring;

import dev.weir.LimiterListener;
import dev.weir.RateLimiter;
import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.spring.internal.Problems;
import dev.weir.store.Store;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** All limiters of the configuration, on one store. Immutable and thread-safe. */
final class ConfiguredLimiters implements RateLimiters {
    private final Map<String, ConfiguredLimiter> limiters = new LinkedHashMap<>();

    /**
     * Builds the limiters.
     *
     * @param executor runs what continues after a wait
     * @param lookup finds the plans of keys, not before the first decision: what finds them may use limiters itself
     * @throws InvalidConfigurationException if the store cannot hold some of the limits
     */
    ConfiguredLimiters(
            WeirSettings settings,
            Store store,
            Executor executor,
            List<LimiterListener> listeners,
            Supplier<Plans> lookup) {
        Problems problems = new Problems();
        for (LimitSettings limiter : settings.limiters()) {
            problems.parse(
                            "weir.limits." + limiter.name(),
                            () -> new ConfiguredLimiter(
                                    limiter, store, executor, listeners, settings.planMembers(), lookup))
                    .ifPresent(built -> limiters.put(limiter.name(), built));
        }
        problems.throwIfAny();
    }

    @Override
    public RateLimiter get(String name) {
        return configured(name).limiter();
    }

    @Override
    public boolean isShadow(String name) {
        return configured(name).settings().shadow();
    }

    @Override
    public Set<String> names() {
        return Collections.unmodifiableSet(limiters.keySet());
    }

    /**
     * Returns a limiter with its settings.
     *
     * @throws InvalidConfigurationException if there is none of this name
     */
    ConfiguredLimiter configured(String name) {
        ConfiguredLimiter limiter = limiters.get(name);
        if (limiter == null) {
            // Reported without a stack trace if a bean asks for it in its constructor.
            throw new InvalidConfigurationException(
                    List.of("no limiter is named '" + name + "' under weir.limits, only " + names()));
        }
        return limiter;
    }
}
