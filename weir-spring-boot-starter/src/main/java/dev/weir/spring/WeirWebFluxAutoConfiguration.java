package dev.weir.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.DispatcherHandler;

/**
 * Registers the filter that limits the requests of a WebFlux application, and the answer to denials of annotated methods and of
 * outgoing calls.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
public final class WeirWebFluxAutoConfiguration {
    private static final String SECURITY_FILTER =
            "org.springframework.security.config.annotation.web.reactive.WebFluxSecurityConfiguration.WebFilterChainFilter";

    WeirWebFluxAutoConfiguration() {}

    @Bean
    RateLimitWebFilter weirWebFilter(Rules rules, WeirSettings settings, ApplicationContext context) {
        int order = FilterOrder.of(settings, context.containsBean(SECURITY_FILTER), FilterOrder.DEFAULT_SECURITY_ORDER);
        BasePaths.check(rules, context.getEnvironment().getProperty("spring.webflux.base-path", ""), "");
        return new RateLimitWebFilter(
                rules, new ReactiveResponses(settings.headerForms(), settings.errorPages()), order);
    }

    @Bean
    RateLimitedWebExceptionHandler weirWebExceptionHandler(WeirSettings settings) {
        return new RateLimitedWebExceptionHandler(new ReactiveResponses(settings.headerForms(), settings.errorPages()));
    }
}
