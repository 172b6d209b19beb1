package dev.weir.spring;

import org.jspecify.annotations.Nullable;

/**
 * Finds the plan of a key, for limiters that have {@code plans}. A bean of this type is asked for each key that is in no list of
 * {@code weir.plans}.
 *
 * <p>Called before each decision of such a limiter, on the thread of the request: it should be fast, and must
 * be thread-safe. If it throws, the key has no plan, and the failure is logged at most once a minute.
 */
@FunctionalInterface
public interface Plans {

    /**
     * Returns the plan of a key.
     *
     * @param limiter the name of the limiter
     * @param key the key
     * @return the name of a plan; null, or a name that the limiter does not know, for its {@code limit}
     */
    @Nullable
    String planOf(String limiter, String key);
}
