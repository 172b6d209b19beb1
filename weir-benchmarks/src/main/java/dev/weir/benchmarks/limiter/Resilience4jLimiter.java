package dev.weir.benchmarks.limiter;

import dev.weir.Decision;
import dev.weir.Limit;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;

/** Resilience4j: an {@code AtomicRateLimiter} a key (what its factory makes), with a timeout of zero so that it never waits. */
final class Resilience4jLimiter implements Limiter {
    private final Limit limit;
    private final RateLimiterConfig config;
    private final PerKey<RateLimiter> limiters;

    Resilience4jLimiter(Limit limit) {
        this.limit = limit;
        config = RateLimiterConfig.custom()
                .limitForPeriod(Math.toIntExact(limit.permits()))
                .limitRefreshPeriod(limit.window())
                .timeoutDuration(Duration.ZERO)
                .build();
        limiters = new PerKey<>(key -> RateLimiter.of(key, config));
    }

    @Override
    public Decision tryAcquire(String key) {
        return PerKey.decision(limiters.of(key).acquirePermission(), limit);
    }

    @Override
    public Object state() {
        return limiters.state();
    }
}
