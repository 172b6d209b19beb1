package dev.weir.spring;

import dev.weir.RateLimiter;
import java.util.Set;

/**
 * The limiters of the configuration, {@code weir.limits}: a bean, for code that decides itself. Thread-safe.
 *
 * <p>A limiter is shared by everything that uses its name: the rules for requests, annotated methods, and code. Its limits may
 * change while the application runs: by the actuator, and by {@link RateLimiter#changeLimits} if it has no plans.
 */
public interface RateLimiters {

    /**
     * Returns a limiter.
     *
     * @param name a name under {@code weir.limits}
     * @return the limiter, the same in every call
     * @throws IllegalArgumentException if there is none of this name
     */
    RateLimiter get(String name);

    /**
     * Returns whether a limiter only decides and counts, and never denies: its property {@code shadow} is set. Rules, annotated
     * methods and routes observe that; code that asks the limiter itself does not have to.
     *
     * @param name a name under {@code weir.limits}
     * @return by default false
     * @throws IllegalArgumentException if there is none of this name
     */
    default boolean isShadow(String name) {
        return false;
    }

    /** {@return the names of all limiters, in the order of the configuration; unmodifiable} */
    Set<String> names();
}
