package dev.weir.benchmarks.limiter;

import com.google.common.util.concurrent.RateLimiter;
import dev.weir.Decision;
import dev.weir.Limit;

/**
 * Guava: a {@code RateLimiter} a key. It knows a rate only and saves up one second of it, so a limit of 10 a minute lets
 * one through at once. Its clock counts whole microseconds: above a million permits a second it denies nothing.
 */
final class GuavaLimiter implements Limiter {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Limit limit;
    private final PerKey<RateLimiter> limiters;

    GuavaLimiter(Limit limit) {
        this.limit = limit;
        double permitsPerSecond = limit.permits() * NANOS_PER_SECOND / limit.windowNanos();
        limiters = new PerKey<>(key -> RateLimiter.create(permitsPerSecond));
    }

    @Override
    public Decision tryAcquire(String key) {
        return PerKey.decision(limiters.of(key).tryAcquire(), limit);
    }

    @Override
    public Object state() {
        return limiters.state();
    }
}
