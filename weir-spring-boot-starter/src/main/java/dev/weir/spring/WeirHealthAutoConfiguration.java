package dev.weir.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Adds the store to the health of the application. Not if the application has a {@code Store} bean of its own, which does not notify
 * the listener of this module.
 */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("weir")
public final class WeirHealthAutoConfiguration {
    WeirHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnBean(name = WeirAutoConfiguration.STORE)
    @ConditionalOnMissingBean(name = "weirHealthIndicator")
    StoreHealthIndicator weirHealthIndicator(WeirSettings settings) {
        return new StoreHealthIndicator(settings.store(), System::nanoTime);
    }
}
