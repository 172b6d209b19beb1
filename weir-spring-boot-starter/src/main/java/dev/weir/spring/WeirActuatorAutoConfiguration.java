package dev.weir.spring;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Adds the endpoint {@code ratelimits} to the actuator. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnClass({WebEndpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(ConfiguredLimiters.class)
public final class WeirActuatorAutoConfiguration {
    WeirActuatorAutoConfiguration() {}

    @Bean
    @ConditionalOnAvailableEndpoint(RateLimitsEndpoint.class)
    RateLimitsEndpoint rateLimitsEndpoint(ConfiguredLimiters limiters, WeirSettings settings) {
        return new RateLimitsEndpoint(limiters, settings);
    }
}
