package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import org.junit.jupiter.api.Test;

/** The Java snippets of docs/metrics.md that need Micrometer: each is a region of this class. */
final class MetricsPageTest {
    @Test
    void meters_asOnThePage_countDecisions() {
        MeterRegistry registry = new SimpleMeterRegistry();
        // region
        StoreMetrics storeMetrics = new StoreMetrics(registry, "memory");
        MemoryStore store = MemoryStore.create();
        storeMetrics.monitor(store);

        RateLimiter api = RateLimiter.builder()
                .name("api")
                .limit("100/1m")
                .store(store)
                .listener(new LimiterMetrics(registry))
                .build();
        // endregion
        api.tryAcquire("key");

        assertThat(registry.get("weir.decisions")
                        .tag("outcome", "allowed")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("weir.store.keys").gauge().value()).isEqualTo(1);
    }

    @Test
    void observations_asOnThePage_areBuilt() {
        ObservationRegistry observations = TestObservationRegistry.create();
        // region
        RateLimiter provider = RateLimiter.builder()
                .name("provider")
                .limit("100/1s")
                .listener(new LimiterObservations(observations))
                .build();
        // endregion
        assertThat(provider.tryAcquire("key").allowed()).isTrue();
    }
}
