package dev.weir.micrometer;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.RateLimiter;
import dev.weir.store.StoreException;
import dev.weir.testkit.ManualTimeSource;
import io.micrometer.observation.Observation;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

final class LimiterObservationsTest {
    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final ManualTimeSource time = new ManualTimeSource();
    private final List<String> texts = new ArrayList<>();

    private RateLimiter.Builder limiter() {
        registry.observationConfig().observationHandler(new io.micrometer.observation.ObservationHandler<>() {
            @Override
            public void onEvent(Observation.Event event, Observation.Context context) {
                texts.add(event.getContextualName());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        return RateLimiter.builder()
                .name("api")
                .limit("1/1s")
                .timeSource(time)
                .listener(new LimiterObservations(registry));
    }

    private void observe(Runnable request) {
        Observation.createNotStarted("request", registry).observe(request);
    }

    @Test
    void decided_denied_addsAnEventWithoutTheKey() {
        RateLimiter api = limiter().build();
        observe(() -> {
            api.tryAcquire("secret");
            api.tryAcquire("secret");
        });

        Assertions.assertThat(texts).containsExactly("api denied: sliding-log 1/1s");
        assertThat(registry).hasObservationWithNameEqualTo("request").that().hasEvent("weir.denied");
    }

    @Test
    void decided_waits_addsAnEvent() {
        RateLimiter api = limiter().build();
        observe(() -> {
            api.tryAcquire("key");
            var unused = api.reserve("key", Duration.ofSeconds(2));
        });

        Assertions.assertThat(texts).containsExactly("api waits 1000 ms: sliding-log 1/1s");
    }

    @Test
    void storeFailed_addsAnEvent() {
        RateLimiter api = limiter()
                .store(new FailingStore(time, new StoreException("down")))
                .whenStoreFails(FailurePolicy.open())
                .build();
        observe(() -> api.tryAcquire("key"));

        Assertions.assertThat(texts).containsExactly("api: the failure policy decides");
    }

    @Test
    void decided_withoutObservation_addsNothing() {
        RateLimiter api = limiter().build();
        api.tryAcquire("key");
        api.tryAcquire("key");

        Assertions.assertThat(texts).isEmpty();
    }
}
