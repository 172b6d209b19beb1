package dev.weir.micrometer;

import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.store.StoreStatistics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Meters of a store: whether it answers, round trips and the requests in them, calls in flight and keys held. Give it to the
 * store as a listener, and the store to {@link #monitor}. Thread-safe.
 *
 * <p>The figures are read from {@link Store#statistics} when the registry publishes, so decisions cost no more. A store that is
 * no longer reachable is not kept alive by its meters.
 */
public final class StoreMetrics implements StoreListener {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter refundsLost;
    private volatile boolean down;

    /**
     * Creates meters.
     *
     * @param registry where they are registered
     * @param store the name of the store, the tag {@code store}; the registry ignores the meters of a second store of this name
     */
    public StoreMetrics(MeterRegistry registry, String store) {
        this.registry = Objects.requireNonNull(registry, "registry must not be null");
        this.tags = Tags.of("store", store);
        this.refundsLost = Counter.builder("weir.store.refunds.lost")
                .description("Refunds and cancellations that did not reach the store")
                .tags(tags)
                .register(registry);
        Gauge.builder("weir.store.up", this, metrics -> metrics.down ? 0 : 1)
                .description("Whether the store answers, 1 or 0")
                .tags(tags)
                .strongReference(true) // a store in memory has no listener, so nobody else may refer to these meters
                .register(registry);
    }

    /**
     * Registers the meters of a store's statistics.
     *
     * @param store the store
     */
    public void monitor(Store store) {
        gauge(store, "weir.store.calls", "Requests that wait for the store", StoreStatistics::callsInFlight);
        FunctionTimer.builder(
                        "weir.store.round.trips",
                        store,
                        monitored -> monitored.statistics().roundTrips(),
                        statistic(StoreStatistics::roundTripNanos),
                        TimeUnit.NANOSECONDS)
                .description("Batches of requests that the store answered, and their time")
                .tags(tags)
                .register(registry);
        TimeGauge.builder(
                        "weir.store.round.trips.longest",
                        store,
                        TimeUnit.NANOSECONDS,
                        statistic(StoreStatistics::longestRoundTripNanos))
                .description("The longest round trip of the last one to two minutes")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("weir.store.requests", store, statistic(StoreStatistics::requests))
                .description("Requests answered; divided by the number of round trips, the size of a batch")
                .tags(tags)
                .register(registry);
        StoreStatistics now = store.statistics();
        if (now.keys().isPresent()) {
            gauge(
                    store,
                    "weir.store.keys",
                    "Keys that are counted",
                    figures -> figures.keys().orElse(0));
        }
        if (now.utilization().isPresent()) {
            gauge(
                    store,
                    "weir.store.utilization",
                    "The share of the store's bounds that its keys use, 1 if it is full",
                    figures -> figures.utilization().orElse(0));
        }
    }

    private void gauge(Store store, String name, String description, ToDoubleFunction<StoreStatistics> figure) {
        Gauge.builder(name, store, statistic(figure))
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private static ToDoubleFunction<Store> statistic(ToDoubleFunction<StoreStatistics> figure) {
        return store -> figure.applyAsDouble(store.statistics());
    }

    @Override
    public void storeDown(StoreException failure) {
        down = true;
    }

    @Override
    public void storeUp() {
        down = false;
    }

    @Override
    public void refundLost(String limiter, String key, StoreException failure) {
        refundsLost.increment();
    }
}
