package dev.weir.spring.test;

import dev.weir.spring.WeirAutoConfiguration;
import dev.weir.store.MemoryStore;
import dev.weir.testkit.ManualTimeSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Makes the time source of a test, and a store that uses it. */
@AutoConfiguration(before = WeirAutoConfiguration.class)
public final class ManualTimeAutoConfiguration {
    ManualTimeAutoConfiguration() {}

    @Bean
    @Primary
    ManualTimeSource manualTimeSource() {
        return new ManualTimeSource();
    }

    @Bean(destroyMethod = "close")
    @Primary
    MemoryStore manualTimeStore(ManualTimeSource time) {
        return MemoryStore.builder().timeSource(time).build();
    }
}
