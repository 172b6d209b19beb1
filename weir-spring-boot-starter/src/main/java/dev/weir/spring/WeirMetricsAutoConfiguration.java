package dev.weir.spring;

import dev.weir.micrometer.LimiterMetrics;
import dev.weir.micrometer.LimiterObservations;
import dev.weir.micrometer.StoreMetrics;
import dev.weir.store.Store;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Registers the meters of limiters and of their store where the application has a {@link MeterRegistry}, and adds events to the
 * current observation where it has an {@link ObservationRegistry}. A {@code Store} bean of the application has meters only if there
 * is a {@link StoreMetrics} bean, too, which knows its name.
 */
@AutoConfiguration(
        after = WeirAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
public final class WeirMetricsAutoConfiguration {
    WeirMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnMissingBean
    LimiterMetrics weirLimiterMetrics(MeterRegistry registry) {
        return new LimiterMetrics(registry);
    }

    @Bean
    @ConditionalOnBean(value = MeterRegistry.class, name = WeirAutoConfiguration.STORE)
    @ConditionalOnMissingBean
    StoreMetrics weirStoreMetrics(MeterRegistry registry, WeirSettings settings) {
        return new StoreMetrics(registry, settings.store().name().toLowerCase(Locale.ROOT));
    }

    @Bean
    @ConditionalOnBean(StoreMetrics.class)
    SmartInitializingSingleton weirStoreMonitor(StoreMetrics metrics, Store store) {
        return () -> metrics.monitor(store);
    }

    @Bean
    @ConditionalOnBean(ObservationRegistry.class)
    @ConditionalOnMissingBean
    LimiterObservations weirLimiterObservations(ObservationRegistry registry) {
        return new LimiterObservations(registry);
    }
}
