package dev.weir.spring.internal;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Publishers of permits. In whichever instant a subscriber cancels, it has either received what was granted, or that is released.
 * {@code Mono.fromFuture} drops a value that arrives in the instant of the cancellation. Loaded only if Reactor is there.
 */
public final class Grants {
    private Grants() {}

    /**
     * Returns what a future is completed with, acquired anew for each subscriber.
     *
     * @param acquire acquires permits; cancelling its future releases them
     * @param release releases permits that were granted to a subscriber that has cancelled
     */
    public static <T> Mono<T> of(Supplier<CompletableFuture<T>> acquire, Consumer<? super T> release) {
        return Mono.create(sink -> {
            CompletableFuture<T> acquiring = CurrentObservation.during(sink.contextView(), acquire);
            sink.onCancel(
                    () -> { // only if the sink has not emitted
                        if (!acquiring.cancel(false)) {
                            CompletableFuture<Void> unused = acquiring.thenAccept(release);
                        }
                    });
            CompletableFuture<T> unused = acquiring.whenComplete((granted, failure) -> {
                if (failure == null) {
                    sink.success(granted);
                } else {
                    sink.error(failure);
                }
            });
        });
    }

    /** Returns the decision on requests once their permits are granted, or at once if it is a denial. */
    public static Mono<Decision> whenDue(Duration maxWait, List<Request> requests) {
        Request[] array = requests.toArray(Request[]::new);
        return of(() -> RateLimiter.reserveAllAsync(maxWait, array), Reservation::cancel)
                .flatMap(reservation -> of(reservation::whenDue, due -> reservation.cancel()));
    }
}
