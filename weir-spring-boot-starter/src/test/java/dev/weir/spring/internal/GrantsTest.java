package dev.weir.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.micrometer.LimiterObservations;
import dev.weir.testkit.ManualTimeSource;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/** What a subscriber receives and what is released, in each instant in which it can cancel. */
class GrantsTest {
    private final CompletableFuture<String> acquiring = new CompletableFuture<>();
    private final List<String> received = new ArrayList<>();
    private final List<String> released = new ArrayList<>();

    @Test
    void of_cancelledWhileItWaits_cancelsTheFuture() {
        Disposable subscriber = Grants.of(() -> acquiring, released::add).subscribe(received::add);

        subscriber.dispose();

        assertThat(acquiring).isCancelled();
        assertThat(received).isEmpty();
    }

    @Test
    void of_cancelledInTheInstantOfTheGrant_releases() {
        Disposable subscriber = Grants.of(() -> acquiring, released::add).subscribe(received::add);
        CompletableFuture<Void> unused = acquiring.thenAccept(granted -> subscriber.dispose()); // the latest runs first

        acquiring.complete("permit");

        assertThat(received).isEmpty();
        assertThat(released).containsExactly("permit");
    }

    @Test
    void of_cancelledWhileItAcquires_releases() {
        BaseSubscriber<String> subscriber = new BaseSubscriber<>() {};
        Mono<String> granted = Grants.of(
                () -> {
                    subscriber.cancel();
                    return CompletableFuture.completedFuture("permit");
                },
                released::add);

        Mono.just(1).hide().flatMap(first -> granted).doOnNext(received::add).subscribe(subscriber);

        assertThat(received).isEmpty();
        assertThat(released).containsExactly("permit");
    }

    @Test
    void of_cancelledAfterTheGrant_releasesNothing() {
        Disposable subscriber = Grants.of(() -> acquiring, released::add)
                .doOnNext(received::add)
                .flatMap(granted -> Mono.never())
                .subscribe();
        acquiring.complete("permit");

        subscriber.dispose();

        assertThat(received).containsExactly("permit");
        assertThat(released).isEmpty();
    }

    @Test
    void whenDue_cancelledWhileItWaits_releasesItsPermits() {
        ManualTimeSource time = new ManualTimeSource();
        RateLimiter limiter =
                RateLimiter.builder().timeSource(time).limit("2/10s").build();
        assertThat(limiter.tryAcquire("key", 2).allowed()).isTrue();
        Disposable subscriber = Grants.whenDue(Duration.ofSeconds(10), List.of(limiter.request("key", 2)))
                .subscribe(decision -> received.add("permit"));

        subscriber.dispose();
        time.advance(Duration.ofSeconds(10));

        assertThat(received).isEmpty();
        assertThat(limiter.peek("key").remaining()).isEqualTo(2);
    }

    @Test
    void whenDue_ofASubscriberWithAnObservation_addsEventsToIt() {
        ObservationRegistry registry = ObservationRegistry.create();
        List<String> events = new ArrayList<>();
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onEvent(Observation.Event event, Observation.Context context) {
                events.add(context.getName() + " " + event.getName());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        RateLimiter limiter = RateLimiter.builder()
                .name("api")
                .limit("1/1h")
                .listener(new LimiterObservations(registry))
                .build();
        Mono<Boolean> denied = Grants.whenDue(Duration.ZERO, List.of(limiter.request("key", 1)))
                .map(decision -> !decision.allowed())
                .contextWrite(context -> context.put("micrometer.observation", Observation.start("request", registry)));

        assertThat(denied.block()).isFalse();
        assertThat(denied.block()).isTrue();

        assertThat(events).containsExactly("request weir.denied");
        assertThat(registry.getCurrentObservation()).isNull();
    }
}
