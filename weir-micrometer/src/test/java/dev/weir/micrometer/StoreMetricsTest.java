package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import dev.weir.store.StoreException;
import dev.weir.store.StoreStatistics;
import dev.weir.testkit.ManualTimeSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class StoreMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final StoreMetrics metrics = new StoreMetrics(registry, "redis");

    private double gauge(String name) {
        return registry.get(name).tag("store", "redis").gauge().value();
    }

    @Test
    void storeDown_thenUp_isShown() {
        assertThat(gauge("weir.store.up")).isEqualTo(1);

        metrics.storeDown(new StoreException("down"));
        assertThat(gauge("weir.store.up")).isZero();

        metrics.storeUp();
        assertThat(gauge("weir.store.up")).isEqualTo(1);
    }

    @Test
    void storeUp_ifOnlyTheRegistryRefersToTheMeters_isStillShown() {
        WeakReference<StoreMetrics> collected =
                new WeakReference<>(new StoreMetrics(new SimpleMeterRegistry(), "other"));
        new StoreMetrics(registry, "memory").monitor(MemoryStore.create());
        for (int i = 0; i < 100 && collected.get() != null; i++) {
            System.gc();
        }

        assertThat(collected.get()).isNull();
        assertThat(registry.get("weir.store.up").tag("store", "memory").gauge().value())
                .isEqualTo(1);
    }

    @Test
    void refundLost_isCounted() {
        metrics.refundLost("api", "key", new StoreException("down"));

        assertThat(registry.get("weir.store.refunds.lost").counter().count()).isEqualTo(1);
    }

    @Test
    void monitor_storeOutsideTheProcess_showsItsStatistics() {
        FailingStore store = new FailingStore(new ManualTimeSource(), new StoreException("down"));
        metrics.monitor(store);
        store.statistics =
                new StoreStatistics(OptionalInt.empty(), OptionalDouble.empty(), 3, 10, 5_000_000, 2_000_000, 40);

        assertThat(gauge("weir.store.calls")).isEqualTo(3);
        assertThat(registry.get("weir.store.round.trips").functionTimer().count())
                .isEqualTo(10);
        assertThat(registry.get("weir.store.round.trips").functionTimer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(5);
        assertThat(registry.get("weir.store.round.trips.longest").timeGauge().value(TimeUnit.MILLISECONDS))
                .isEqualTo(2);
        assertThat(registry.get("weir.store.requests").functionCounter().count())
                .isEqualTo(40);
        assertThat(registry.find("weir.store.keys").gauge()).isNull();
        assertThat(registry.find("weir.store.utilization").gauge()).isNull();
    }

    @Test
    void monitor_memoryStore_showsItsKeys() {
        MemoryStore store = MemoryStore.builder().maxKeys(8).build();
        metrics.monitor(store);
        RateLimiter api =
                RateLimiter.builder().name("api").limit("10/1m").store(store).build();
        api.tryAcquire("a");
        api.tryAcquire("b");

        assertThat(gauge("weir.store.keys")).isEqualTo(2);
        assertThat(gauge("weir.store.utilization")).isEqualTo(0.25);
        assertThat(gauge("weir.store.calls")).isZero();
    }
}
