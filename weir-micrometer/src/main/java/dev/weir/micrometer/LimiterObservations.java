package dev.weir.micrometer;

import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.store.StoreException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;

/**
 * Adds events to the current observation, so that the trace of a request shows why it was denied or how long it waited: {@code
 * weir.denied}, {@code weir.waited} and {@code weir.degraded}. A request that is allowed at once adds none. A limiter whose denials
 * have no effect, such as one with {@code shadow} in the Spring Boot starter, adds them all the same. The texts have the names of
 * limiters and limits, never a key. Thread-safe.
 *
 * <p>Observations belong to threads: decisions that complete on another thread than the caller's are seen only where the context
 * is propagated.
 */
public final class LimiterObservations implements LimiterListener {
    private final ObservationRegistry registry;

    /**
     * Creates a listener for limiters.
     *
     * @param registry knows the current observation
     */
    public LimiterObservations(ObservationRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry must not be null");
    }

    @Override
    public void decided(String limiter, String key, long permits, Decision decision) {
        Observation current = registry.getCurrentObservation();
        if (current == null) {
            return;
        }
        if (!decision.allowed()) {
            String reason = decision.blocked() ? "blocked" : decision.limit().toString();
            current.event(Observation.Event.of("weir.denied", limiter + " denied: " + reason));
        } else if (decision.waitNanos() > 0) {
            current.event(Observation.Event.of(
                    "weir.waited", limiter + " waits " + decision.waitTime().toMillis() + " ms: " + decision.limit()));
        }
    }

    @Override
    public void storeFailed(String limiter, String key, StoreException failure) {
        Observation current = registry.getCurrentObservation();
        if (current != null) {
            current.event(Observation.Event.of("weir.degraded", limiter + ": the failure policy decides"));
        }
    }
}
