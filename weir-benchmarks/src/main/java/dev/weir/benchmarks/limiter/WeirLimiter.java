package dev.weir.benchmarks.limiter;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;

/** Weir by its public path, {@link RateLimiter#tryAcquire(String)}, with its own store in memory. */
public final class WeirLimiter implements Limiter {
    private final RateLimiter limiter;

    WeirLimiter(Limits limits) {
        this(limits, TimeSource.system());
    }

    /** Creates a limiter on a time source that is set by hand, so that its log can be filled in no time. */
    public WeirLimiter(Limits limits, TimeSource timeSource) {
        limiter = RateLimiter.builder().limits(limits).timeSource(timeSource).build();
    }

    @Override
    public Decision tryAcquire(String key) {
        return limiter.tryAcquire(key);
    }

    @Override
    public Object state() {
        return limiter;
    }
}
