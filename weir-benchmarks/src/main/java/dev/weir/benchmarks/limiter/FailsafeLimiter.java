package dev.weir.benchmarks.limiter;

import dev.failsafe.RateLimiter;
import dev.weir.Decision;
import dev.weir.Limit;

/** Failsafe: a bursty limiter a key, which counts in fixed windows. */
final class FailsafeLimiter implements Limiter {
    private final Limit limit;
    private final PerKey<RateLimiter<Object>> limiters;

    FailsafeLimiter(Limit limit) {
        this.limit = limit;
        limiters = new PerKey<>(key ->
                RateLimiter.burstyBuilder(limit.permits(), limit.window()).build());
    }

    @Override
    public Decision tryAcquire(String key) {
        return PerKey.decision(limiters.of(key).tryAcquirePermit(), limit);
    }

    @Override
    public Object state() {
        return limiters.state();
    }
}
