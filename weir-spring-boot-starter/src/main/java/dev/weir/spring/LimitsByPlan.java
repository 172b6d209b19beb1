package dev.weir.spring;

import dev.weir.Limits;
import dev.weir.internal.OccasionalLog;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The limits of each key by its plan. Thread-safe; changed limits hold from the next decision on. */
final class LimitsByPlan implements Function<String, Limits> {
    private final String limiter;
    private final Map<String, String> members;
    private final Supplier<Plans> lookup;
    private final Map<String, Limits> plans;
    private final OccasionalLog log = new OccasionalLog("dev.weir.spring");
    private volatile Limits withoutPlan;
    private volatile @Nullable Plans found;

    LimitsByPlan(LimitSettings settings, Map<String, String> members, Supplier<Plans> lookup) {
        this.limiter = settings.name();
        this.members = members;
        this.lookup = lookup;
        this.plans = new ConcurrentHashMap<>(settings.plans());
        this.withoutPlan = settings.limits();
    }

    @Override
    public Limits apply(String key) {
        String plan = planOf(key);
        return plan == null ? withoutPlan : plans.getOrDefault(plan, withoutPlan);
    }

    /** Returns what finds plans. Without a lock, since a thread may have to wait for a bean that another thread creates. */
    private Plans lookup() {
        Plans known = found;
        if (known == null) {
            known = lookup.get();
            found = known;
        }
        return known;
    }

    private @Nullable String planOf(String key) {
        String listed = members.get(key);
        if (listed != null) {
            return listed;
        }
        try {
            return lookup().planOf(limiter, key);
        } catch (RuntimeException failure) {
            log.warn("the plan of a key of limiter " + limiter + " could not be found", failure);
            return null;
        }
    }

    /** Returns the limits of keys without a plan. */
    Limits withoutPlan() {
        return withoutPlan;
    }

    /** Returns the limits of each plan. */
    Map<String, Limits> plans() {
        return Map.copyOf(plans);
    }

    /** Changes the limits of a plan, or, if it is null, of keys without one. The store must be able to hold them. */
    void change(@Nullable String plan, Limits limits) {
        if (plan == null) {
            withoutPlan = limits;
        } else if (plans.replace(plan, limits) == null) {
            throw new IllegalArgumentException("there is no plan '" + plan + "', only " + plans.keySet());
        }
    }
}
