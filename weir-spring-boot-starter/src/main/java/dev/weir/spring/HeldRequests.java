package dev.weir.spring;

import dev.weir.http.RateLimitFilter;
import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.spring.internal.Problems;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.Collection;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializer;

/**
 * Checks that the filters behind that of Weir see requests that were held. These continue in an ASYNC dispatch, as {@link
 * RateLimitFilter} describes, which filters that are mapped to REQUEST alone do not see: one that authenticates would let them pass.
 * Spring Security must see them, wherever it is: before that of Weir, it finds the user that {@link HeldUserFilter} has kept.
 */
final class HeldRequests {
    /** The name of the filter of Spring Security. */
    static final String SECURITY_FILTER = "springSecurityFilterChain";

    private HeldRequests() {}

    /**
     * Checks the filters if a rule can hold requests.
     *
     * @param registrations those of all filters, in their order
     * @throws InvalidConfigurationException if a filter would not see requests that are held
     */
    static void check(
            Rules rules,
            FilterRegistrationBean<Filter> weir,
            Collection<? extends ServletContextInitializer> registrations) {
        Problems problems = new Problems();
        rules.list().stream().filter(HeldRequests::holds).findFirst().ifPresent(rule -> {
            boolean behind = false;
            for (ServletContextInitializer registration : registrations) {
                if (registration instanceof AbstractFilterRegistrationBean<?> filter
                        && (behind || SECURITY_FILTER.equals(filter.getFilterName()))
                        && missesHeld(filter)) {
                    String orBefore = behind ? ", or set weir.filter-order above its order, " + filter.getOrder() : "";
                    problems.add(
                            "weir.limits." + rule.limiter().name() + ".max-wait",
                            "filter '" + filter.getFilterName() + "' would not see requests that were held; register it"
                                    + " for the dispatcher types REQUEST and ASYNC" + orBefore);
                }
                behind |= registration == weir;
            }
        });
        problems.throwIfAny();
    }

    private static boolean holds(Rules.Rule rule) {
        Duration maxWait = rule.settings().maxWait();
        return maxWait != null && !maxWait.isZero() && !rule.settings().shadow();
    }

    private static boolean missesHeld(AbstractFilterRegistrationBean<?> filter) {
        var types = filter.determineDispatcherTypes();
        return filter.isEnabled() && types.contains(DispatcherType.REQUEST) && !types.contains(DispatcherType.ASYNC);
    }
}
