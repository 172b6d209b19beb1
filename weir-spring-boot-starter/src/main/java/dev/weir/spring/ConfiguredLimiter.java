package dev.weir.spring;

import dev.weir.LimiterListener;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.store.Store;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A limiter of the configuration, with its limits by plan if it has plans. Thread-safe. */
final class ConfiguredLimiter {
    private final LimitSettings settings;
    private final Store store;
    private final @Nullable LimitsByPlan byPlan;
    private final RateLimiter limiter;

    /**
     * Builds the limiter.
     *
     * @param executor runs what continues after a wait
     * @param members the plan of each key that is listed in the configuration
     * @param lookup finds the plan of other keys
     * @throws IllegalArgumentException if the store cannot hold its limits
     */
    ConfiguredLimiter(
            LimitSettings settings,
            Store store,
            Executor executor,
            List<LimiterListener> listeners,
            Map<String, String> members,
            Supplier<Plans> lookup) {
        this.settings = settings;
        this.store = store;
        RateLimiter.Builder builder = RateLimiter.builder()
                .name(settings.name())
                .store(store)
                .whenStoreFails(settings.onFailure())
                .executor(executor);
        listeners.forEach(builder::listener);
        if (settings.plans().isEmpty()) {
            byPlan = null;
            builder.limits(settings.limits());
        } else {
            byPlan = new LimitsByPlan(settings, members, lookup);
            store.check(settings.limits());
            settings.plans().values().forEach(store::check);
            builder.limitsByKey(byPlan);
        }
        limiter = builder.build();
    }

    RateLimiter limiter() {
        return limiter;
    }

    LimitSettings settings() {
        return settings;
    }

    /** Returns the limits in force of keys without a plan. */
    Limits limits() {
        return byPlan == null ? limiter.limits("-") : byPlan.withoutPlan();
    }

    /** Returns the limits in force by plan. */
    Map<String, Limits> plans() {
        return byPlan == null ? Map.of() : byPlan.plans();
    }

    /**
     * Changes the limits of a plan, or, if it is null, of keys without one, from the next decision on.
     *
     * @throws IllegalArgumentException if there is no such plan, or the store cannot hold the limits
     */
    void changeLimits(@Nullable String plan, Limits limits) {
        if (byPlan != null) {
            store.check(limits);
            byPlan.change(plan, limits);
        } else if (plan == null) {
            limiter.changeLimits(limits);
        } else {
            throw new IllegalArgumentException("limiter '" + settings.name() + "' has no plans");
        }
    }
}
