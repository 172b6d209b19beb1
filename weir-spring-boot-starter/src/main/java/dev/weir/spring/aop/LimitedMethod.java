package dev.weir.spring.aop;

import dev.weir.Decision;
import dev.weir.RateLimitedException;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import dev.weir.Status;
import dev.weir.internal.OccasionalLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a method. Immutable and thread-safe.
 *
 * @param permits what a call needs
 * @param shadows what limiters that never deny are asked for, after the others have allowed a call
 * @param maxWait how long a call may wait for all of its permits
 */
record LimitedMethod(List<Permits> permits, List<Permits> shadows, Duration maxWait) {
    private static final OccasionalLog LOG = new OccasionalLog("dev.weir.spring");

    /** The permits that a call needs of one limiter. */
    record Permits(RateLimiter limiter, KeyExpression key, long number) {}

    private record LimiterAndKey(RateLimiter limiter, String key) {}

    /** Returns what a call requests. Permits of one limiter and key are requested together. */
    List<Request> requests(@Nullable Object bean, @Nullable Object[] arguments) {
        Map<LimiterAndKey, Long> numbers = new LinkedHashMap<>();
        for (Permits needed : permits) {
            String key = needed.key.evaluate(bean, arguments);
            numbers.merge(new LimiterAndKey(needed.limiter, key), needed.number, Math::addExact);
        }
        List<Request> requests = new ArrayList<>();
        numbers.forEach((of, number) -> requests.add(of.limiter.request(of.key, number)));
        return requests;
    }

    /**
     * Lets each limiter that never denies decide for itself. Its listeners are notified; the call does not wait for the answer, and a
     * key that cannot be evaluated does not fail it.
     */
    void decideShadows(@Nullable Object bean, @Nullable Object[] arguments) {
        for (Permits shadow : shadows) {
            try {
                String key = shadow.key.evaluate(bean, arguments);
                CompletableFuture<Reservation> unused = shadow.limiter.reserveAsync(key, shadow.number, maxWait);
            } catch (RuntimeException failure) {
                LOG.warn("shadow limiter '" + shadow.limiter.name() + "' could not decide", failure);
            }
        }
    }

    /**
     * Returns normally if a call is allowed.
     *
     * @throws RateLimitedException if it is denied; names the limiter that would allow it latest
     */
    static void check(Decision decision, List<Request> requests) {
        if (!decision.allowed()) {
            Status latest = Collections.max(decision.statuses(), Comparator.comparingLong(Status::retryAfterNanos));
            throw new RateLimitedException(requests.get(latest.request()).limiter(), decision);
        }
    }
}
