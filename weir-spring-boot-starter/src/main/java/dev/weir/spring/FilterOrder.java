package dev.weir.spring;

import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.spring.internal.Problems;
import org.jspecify.annotations.Nullable;

/** Where the filter stands: by default directly behind that of Spring Security, which knows the user. */
final class FilterOrder {
    /** The order of the filter of Spring Security, which can be changed for servlets only. */
    static final int DEFAULT_SECURITY_ORDER = -100;

    private FilterOrder() {}

    /**
     * Returns the order of the filter.
     *
     * @param security whether Spring Security filters the requests
     * @param securityOrder the order of its filter
     * @throws InvalidConfigurationException if a rule needs the user, and the filter comes before Spring Security
     */
    static int of(WeirSettings settings, boolean security, int securityOrder) {
        @Nullable Integer configured = settings.filterOrder();
        int order = configured == null ? securityOrder + 1 : configured;
        if (security && order <= securityOrder) {
            checkNoUser(settings, order, securityOrder);
        }
        return order;
    }

    private static void checkNoUser(WeirSettings settings, int order, int securityOrder) {
        Problems problems = new Problems();
        settings.rules().stream()
                .filter(rule -> rule.key().needsUser())
                .forEach(rule -> problems.add(
                        "weir.limits." + rule.limiter() + ".key",
                        "user is not known with weir.filter-order " + order + ", before Spring Security at "
                                + securityOrder));
        problems.throwIfAny();
    }
}
