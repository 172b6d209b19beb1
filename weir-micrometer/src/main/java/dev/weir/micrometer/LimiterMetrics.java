package dev.weir.micrometer;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimiterListener;
import dev.weir.store.StoreException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Meters of limiters: decisions by limiter, limit and outcome, waits, refunds and failures of the store. A registry has one
 * instance, which may be the listener of any number of limiters. Thread-safe.
 *
 * <p>Guarantee: a key is never a tag. A limiter has the meters of at most {@value #MAX_LIMITS} limits; further limits, as those of
 * limiters whose limits depend on the key, have the tag {@code limit=other}.
 */
public final class LimiterMetrics implements LimiterListener {
    /** The most limits of one limiter that have a tag of their own. */
    public static final int MAX_LIMITS = 100;

    private static final String LIMITER = "limiter";

    private final MeterRegistry registry;

    /**
     * One each, so as many as the application has. Meters are registered and removed within a step on the entry of their limiter, so
     * that none is kept here that the registry no longer has.
     */
    private final Map<String, Meters> limiters = new ConcurrentHashMap<>();

    /**
     * Creates meters.
     *
     * @param registry where they are registered, on first use
     */
    public LimiterMetrics(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry must not be null");
    }

    @Override
    public void decided(String limiter, String key, long permits, Decision decision) {
        Meters meters = of(limiter);
        meters.decisions(decision.limit()).of(decision).increment();
        if (decision.allowed() && decision.waitNanos() > 0) {
            meters.wait.record(decision.waitNanos(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void refunded(String limiter, String key, long permits, long timeNanos) {
        of(limiter).refunds.increment((double) permits);
    }

    @Override
    public void storeFull(String limiter, String key) {
        of(limiter).storeFull.increment();
    }

    @Override
    public void storeFailed(String limiter, String key, StoreException failure) {
        Meters meters = of(limiter);
        (failure.isOverload() ? meters.overloads : meters.failures).increment();
    }

    /**
     * Removes the meters of limiters that no longer exist from the registry, also those of another instance. A limiter that still
     * decides gets new ones; a decision that is made meanwhile may not be counted.
     *
     * @param names the names of the limiters whose meters remain
     */
    public void retain(Set<String> names) {
        Map<String, List<Meter>> others = registry.getMeters().stream()
                .filter(meter -> isOfOther(meter.getId(), names))
                .collect(Collectors.groupingBy(meter -> meter.getId().getTag(LIMITER)));
        limiters.keySet().retainAll(names);
        others.forEach((limiter, meters) -> limiters.compute(limiter, (name, again) -> {
            meters.forEach(registry::remove); // takes long; only this limiter waits
            return null;
        }));
    }

    /** Also finds what a decision has registered since the limiter was removed before. */
    private static boolean isOfOther(Meter.Id meter, Set<String> names) {
        String limiter = meter.getTag(LIMITER);
        return limiter != null && meter.getName().startsWith("weir.") && !names.contains(limiter);
    }

    private Meters of(String limiter) {
        Meters meters = limiters.get(limiter);
        return meters != null ? meters : limiters.computeIfAbsent(limiter, name -> new Meters(registry, name));
    }

    /** The meters of one limiter. */
    private static final class Meters {
        private final MeterRegistry registry;
        private final Tags limiter;
        private final Map<Limit, Decisions> limits = new ConcurrentHashMap<>();
        private final Decisions others;
        private final Timer wait;
        private final Counter refunds;
        private final Counter storeFull;
        private final Counter overloads;
        private final Counter failures;

        Meters(MeterRegistry registry, String name) {
            this.registry = registry;
            limiter = Tags.of(LIMITER, name);
            others = new Decisions(registry, limiter.and("limit", "other"));
            wait = Timer.builder("weir.wait")
                    .description("Time that allowed requests wait; those allowed at once are not counted")
                    .tags(limiter)
                    .register(registry);
            refunds = Counter.builder("weir.refunds")
                    .description("Permits that were refunded or whose reservation was cancelled")
                    .baseUnit("permits")
                    .tags(limiter)
                    .register(registry);
            storeFull = Counter.builder("weir.store.full")
                    .description("Requests for a new key for which the store had no room")
                    .tags(limiter)
                    .register(registry);
            overloads = failures("overload");
            failures = failures("store");
        }

        private Counter failures(String reason) {
            return Counter.builder("weir.store.failures")
                    .description(
                            "Requests that the failure policy decided: too many calls in flight, or the store failed")
                    .tags(limiter.and("reason", reason))
                    .register(registry);
        }

        Decisions decisions(Limit limit) {
            Decisions decisions = limits.get(limit);
            return decisions != null ? decisions : added(limit);
        }

        private Decisions added(Limit limit) {
            if (limits.size() >= MAX_LIMITS) { // without the lock, once there is no more room
                return others;
            }
            synchronized (limits) {
                return limits.size() >= MAX_LIMITS
                        ? limits.getOrDefault(limit, others)
                        : limits.computeIfAbsent(
                                limit, added -> new Decisions(registry, limiter.and("limit", added.toString())));
            }
        }
    }

    /**
     * The decisions of which one limit was the most restrictive. Counters are registered when they are first needed, those of allowed
     * and of denied requests together: systems such as Prometheus compute rates from the second value of a counter, and would miss
     * the first burst of denials.
     */
    private static final class Decisions {
        private static final String[] OUTCOMES = {"allowed", "denied", "blocked", "never"};
        private static final int ALLOWED = 0;
        private static final int DENIED = 2;

        private final MeterRegistry registry;
        private final Tags tags;
        private final Counter[] counters = new Counter[2 * OUTCOMES.length]; // each outcome, then the same degraded

        Decisions(MeterRegistry registry, Tags tags) {
            this.registry = registry;
            this.tags = tags;
        }

        Counter of(Decision decision) {
            int outcome = decision.allowed() ? 0 : decision.blocked() ? 2 : decision.never() ? 3 : 1;
            int index = 2 * outcome + (decision.degraded() ? 1 : 0);
            Counter counter = counters[index];
            if (counter == null) {
                register(ALLOWED);
                register(DENIED);
                counter = register(index);
            }
            return counter;
        }

        /** A race registers the same counter twice, which returns the first. */
        private Counter register(int index) {
            Counter counter = Counter.builder("weir.decisions")
                    .description(
                            "Decisions by their most restrictive limit; degraded if by a failure policy or with a full store")
                    .tags(tags.and("outcome", OUTCOMES[index / 2], "degraded", Boolean.toString(index % 2 == 1)))
                    .register(registry);
            counters[index] = counter;
            return counter;
        }
    }
}
