package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import dev.weir.store.StoreException;
import dev.weir.testkit.ManualTimeSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class LimiterMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LimiterMetrics metrics = new LimiterMetrics(registry);
    private final ManualTimeSource time = new ManualTimeSource();

    private RateLimiter.Builder limiter(String name) {
        return RateLimiter.builder().name(name).timeSource(time).listener(metrics);
    }

    private double decisions(String... tags) {
        return registry.get("weir.decisions").tags(tags).counter().count();
    }

    @Test
    void decided_severalLimits_countsByTheMostRestrictive() {
        RateLimiter api = limiter("api").limit("2/1s").limit("3/1m").build();
        for (int i = 0; i < 5; i++) {
            api.tryAcquire("key");
        }
        time.advance(Duration.ofSeconds(1));
        api.tryAcquire("key");
        api.tryAcquire("key");
        api.tryAcquire("key", 4);

        assertThat(decisions("limiter", "api", "limit", "sliding-log 2/1s", "outcome", "allowed"))
                .isEqualTo(2);
        assertThat(decisions("limiter", "api", "limit", "sliding-log 2/1s", "outcome", "denied"))
                .isEqualTo(3);
        assertThat(decisions("limiter", "api", "limit", "sliding-log 3/1m", "outcome", "allowed"))
                .isEqualTo(1);
        assertThat(decisions("limiter", "api", "limit", "sliding-log 3/1m", "outcome", "denied"))
                .isEqualTo(1);
        assertThat(registry.get("weir.decisions")
                        .tags("limiter", "api", "outcome", "never")
                        .counters())
                .singleElement()
                .satisfies(never -> assertThat(never.count()).isEqualTo(1));
    }

    /** Else a rate that is computed from two values of a counter misses the first denials. */
    @Test
    void decided_allowed_registersTheCounterOfDenials() {
        RateLimiter api = limiter("api").limit("2/1s").build();
        api.tryAcquire("key");

        assertThat(outcomes("api")).containsExactly("allowed sliding-log 2/1s 1", "denied sliding-log 2/1s 0");
    }

    /** The outcomes of a limiter with their limits and counts. */
    private List<String> outcomes(String limiter) {
        return registry.find("weir.decisions").tag("limiter", limiter).counters().stream()
                .map(counter -> counter.getId().getTag("outcome") + " "
                        + counter.getId().getTag("limit") + " " + (int) counter.count())
                .sorted()
                .toList();
    }

    @Test
    void decidedTogether_eachLimiterCountsItsOwnLimit() {
        MemoryStore store = MemoryStore.builder().timeSource(time).build();
        RateLimiter api = RateLimiter.builder()
                .name("api")
                .limit("10/1s")
                .limit("100/1m")
                .store(store)
                .listener(metrics)
                .build();
        RateLimiter login = RateLimiter.builder()
                .name("login")
                .limit("2/1m")
                .store(store)
                .listener(metrics)
                .build();
        for (int i = 0; i < 3; i++) {
            RateLimiter.tryAcquireAll(api.request("bob", 1), login.request("team", 1));
        }
        RateLimiter.tryAcquireAll(login.request("other", 3), api.request("bob", 1));

        assertThat(outcomes("api")).containsExactly("allowed sliding-log 10/1s 2", "denied sliding-log 10/1s 0");
        assertThat(outcomes("login"))
                .containsExactly("allowed sliding-log 2/1m 2", "denied sliding-log 2/1m 1", "never sliding-log 2/1m 1");

        api.tryAcquire("bob", 8);
        RateLimiter.tryAcquireAll(api.request("bob", 1), login.request("team", 1));
        assertThat(outcomes("api")).contains("denied sliding-log 10/1s 1");
        assertThat(outcomes("login")).contains("denied sliding-log 2/1m 2");

        login.block("team", Duration.ofSeconds(5));
        RateLimiter.tryAcquireAll(api.request("ann", 1), login.request("team", 1));
        assertThat(outcomes("api")).noneMatch(outcome -> outcome.startsWith("blocked"));
        assertThat(outcomes("login")).contains("blocked sliding-log 2/1m 1");
    }

    @Test
    void decided_blockedKey_isAnOutcomeOfItsOwn() {
        RateLimiter api = limiter("api").limit("2/1s").build();
        api.block("key", Duration.ofSeconds(5));
        api.tryAcquire("key");

        assertThat(decisions("outcome", "blocked", "degraded", "false")).isEqualTo(1);
    }

    @Test
    void decided_requestWaits_timeIsRecorded() {
        RateLimiter api = limiter("api").limit("2/1s").build();
        api.tryAcquire("key", 2);
        var unused = api.reserve("key", Duration.ofSeconds(2));

        assertThat(registry.get("weir.wait").tag("limiter", "api").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(1);
        assertThat(registry.get("weir.wait").tag("limiter", "api").timer().count())
                .isEqualTo(1); // not those that did not wait
    }

    @Test
    void refunded_permitsAreCounted() {
        RateLimiter api = limiter("api").limit("10/1s").build();
        api.reserve("key", 5, Duration.ZERO).refund(3);

        assertThat(registry.get("weir.refunds").counter().count()).isEqualTo(3);
    }

    @Test
    void retain_limiterThatIsGone_hasNoMeters() {
        RateLimiter former = limiter("former").limit("10/1s").build();
        RateLimiter api = limiter("api").limit("10/1s").build();
        former.tryAcquire("key");
        api.tryAcquire("key");
        Counter foreign = registry.counter("mine", "limiter", "former");

        metrics.retain(Set.of("api"));

        assertThat(registry.getMeters())
                .filteredOn(meter -> "former".equals(meter.getId().getTag("limiter")))
                .containsExactly(foreign);
        api.tryAcquire("key");
        former.tryAcquire("key");
        assertThat(decisions("limiter", "api", "outcome", "allowed")).isEqualTo(2);
        assertThat(decisions("limiter", "former", "outcome", "allowed")).isEqualTo(1);
    }

    /** Else a limiter that is added again later would be counted by meters that nobody sees. */
    @Test
    void retain_decisionMeanwhile_getsMetersThatAreRegistered() throws Exception {
        RateLimiter former = limiter("former").limit("10/1s").build();
        former.tryAcquire("key");
        long meters = metersOf("former");
        Thread deciding = new Thread(() -> former.tryAcquire("key"));
        registry.config().onMeterRemoved(removed -> {
            if (deciding.getState() == Thread.State.NEW) {
                deciding.start();
            }
            while (deciding.isAlive() && deciding.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
        });
        metrics.retain(Set.of());
        deciding.join();

        assertThat(metersOf("former")).isEqualTo(meters);
    }

    @Test
    void retain_manyMeters_firstDecisionsOfOtherLimitersDoNotWait() {
        AtomicReference<LimiterMetrics> slow = new AtomicReference<>();
        slow.set(new LimiterMetrics(new SimpleMeterRegistry() {
            @Override
            public List<Meter> getMeters() {
                decide("first");
                return super.getMeters();
            }

            @Override
            public Meter remove(Meter meter) {
                decide("second");
                return super.remove(meter);
            }

            private void decide(String limiter) {
                assertThat(CompletableFuture.runAsync(() -> slow.get().storeFull(limiter, "key")))
                        .succeedsWithin(Duration.ofSeconds(30));
            }
        }));
        slow.get().storeFull("former", "key");

        slow.get().retain(Set.of("first", "second"));
    }

    private long metersOf(String limiter) {
        return registry.getMeters().stream()
                .filter(meter -> limiter.equals(meter.getId().getTag("limiter")))
                .count();
    }

    @Test
    void storeFull_newKey_isCounted() {
        MemoryStore store = MemoryStore.builder().maxKeys(1).timeSource(time).build();
        RateLimiter api = limiter("api").limit("10/1s").store(store).build();
        api.tryAcquire("a");
        api.tryAcquire("b");

        assertThat(registry.get("weir.store.full").counter().count()).isEqualTo(1);
        assertThat(decisions("outcome", "denied", "degraded", "true")).isEqualTo(1);
    }

    @Test
    void storeFailed_countsOverloadApart() {
        RateLimiter api = limiter("api")
                .limit("10/1s")
                .store(new FailingStore(time, StoreException.overload(7), new StoreException("down")))
                .whenStoreFails(FailurePolicy.open())
                .build();
        for (int i = 0; i < 3; i++) {
            api.tryAcquire("key");
        }

        assertThat(registry.get("weir.store.failures")
                        .tag("reason", "overload")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("weir.store.failures")
                        .tag("reason", "store")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(decisions("outcome", "allowed", "degraded", "true")).isEqualTo(3);
    }

    @Test
    void limitsByKey_tooMany_shareOneTag() {
        RateLimiter plans =
                limiter("plans").limitsByKey(key -> Limits.parse(key + "/1m")).build();
        for (int permits = 1; permits <= LimiterMetrics.MAX_LIMITS + 50; permits++) {
            plans.tryAcquire(Integer.toString(permits));
        }

        assertThat(registry.find("weir.decisions").counters()).hasSize(2 * (LimiterMetrics.MAX_LIMITS + 1));
        assertThat(decisions("limit", "other", "outcome", "allowed")).isEqualTo(50);
    }

    @Test
    void limitsByKey_tooManyInSeveralThreads_shareOneTag() throws Exception {
        int threads = 8;
        RateLimiter plans =
                limiter("plans").limitsByKey(key -> Limits.parse(key + "/1m")).build();
        CyclicBarrier barrier = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int first = 1 + thread;
                runs.add(pool.submit(() -> {
                    for (int permits = first; permits <= 200; permits += threads) {
                        barrier.await();
                        plans.tryAcquire(Integer.toString(permits));
                    }
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get(1, TimeUnit.MINUTES);
            }
        } finally {
            pool.shutdownNow();
        }

        assertThat(registry.find("weir.decisions").counters()).hasSize(2 * (LimiterMetrics.MAX_LIMITS + 1));
    }

    @Test
    void anyMeter_hasNoKeyAsTag() {
        RateLimiter api = limiter("api").limit("1/1s").build();
        api.tryAcquire("secret-key");
        api.tryAcquire("secret-key");
        api.reserve("secret-key", Duration.ofSeconds(5)).cancel();
        api.block("secret-key", Duration.ofSeconds(1));
        api.tryAcquire("secret-key");

        assertThat(registry.getMeters())
                .hasSizeGreaterThan(5)
                .extracting(Meter::getId)
                .flatExtracting(Meter.Id::getTags)
                .extracting(Tag::getValue)
                .noneMatch(value -> value.contains("secret"));
    }
}
