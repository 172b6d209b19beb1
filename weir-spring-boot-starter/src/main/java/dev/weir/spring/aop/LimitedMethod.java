package dev.weir.spring.aop;

import dev.weir.Decision;
import dev.weir.RateLimitedException;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.spring.internal.Shadows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a method. Immutable and thread-safe.
 *
 * @param permits what a call needs
 * @param shadows what limiters that never deny are asked for, after the others have allowed a call
 * @param maxWait how long a call may wait for all of its permits
 */
record LimitedMethod(List<Permits> permits, List<Permits> shadows, Duration maxWait) {
    /**
     * The permits that a call needs of one limiter.
     *
     * @param maxWait how long it may wait for them; null if the annotation does not say
     */
    record Permits(
            RateLimiter limiter,
            KeyExpression key,
            long number,
            @Nullable Duration maxWait) {}

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

    /** Lets each limiter that never denies decide for itself. A key that cannot be evaluated does not fail the call. */
    void decideShadows(@Nullable Object bean, @Nullable Object[] arguments) {
        for (Permits shadow : shadows) {
            Duration wait = Objects.requireNonNullElse(shadow.maxWait, Duration.ZERO);
            Shadows.decide(shadow.limiter, () -> shadow.key.evaluate(bean, arguments), shadow.number, wait);
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
