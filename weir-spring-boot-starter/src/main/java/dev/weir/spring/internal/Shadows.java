package dev.weir.spring.internal;

import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.internal.Futures;
import dev.weir.internal.OccasionalLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Limiters with {@code shadow}, which never deny. */
public final class Shadows {
    private static final OccasionalLog LOG = new OccasionalLog("dev.weir.spring");

    private Shadows() {}

    /**
     * Lets a limiter decide, after others have allowed what it is for. Its listeners are notified, nothing waits for the answer, and a
     * failure has no effect.
     *
     * @param key finds the key; null if the limiter does not apply
     */
    public static void decide(RateLimiter limiter, Supplier<@Nullable String> key, long permits, Duration maxWait) {
        try {
            String found = key.get();
            if (found != null) {
                CompletableFuture<Reservation> unused = limiter.reserveAsync(found, permits, maxWait)
                        .whenComplete((reserved, failure) -> {
                            if (failure != null) {
                                warn(limiter, Futures.cause(failure));
                            }
                        });
            }
        } catch (RuntimeException failure) {
            warn(limiter, failure);
        }
    }

    private static void warn(RateLimiter limiter, Throwable failure) {
        LOG.warn("shadow limiter '" + limiter.name() + "' could not decide", failure);
    }
}
