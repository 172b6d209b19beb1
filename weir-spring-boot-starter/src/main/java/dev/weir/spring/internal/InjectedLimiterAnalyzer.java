package dev.weir.spring.internal;

import dev.weir.RateLimiter;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.annotation.Order;

/**
 * Reports a bean that takes a {@link RateLimiter}. Spring Boot would advise to define such a bean, which would not have the limits of
 * the configuration.
 */
@Order(0) // before that of Spring Boot, which has no order
public final class InjectedLimiterAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {
    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, NoSuchBeanDefinitionException cause, @Nullable String description) {
        if (cause.getBeanType() != RateLimiter.class || cause.getNumberOfBeansFound() > 0) {
            return null;
        }
        return new FailureAnalysis(
                (description == null ? "A component" : description)
                        + " needs a RateLimiter, but the limiters under weir.limits are no beans.",
                "Take the bean RateLimiters, and get the limiter by its name, such as limiters.get(\"api\").",
                cause);
    }
}
