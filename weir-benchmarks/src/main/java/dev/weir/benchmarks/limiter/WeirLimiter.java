package dev.weir.benchmarks.limiter;

import dev.weir.Clock;
import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.RateLimiter;

/** Weir by its public path, {@link RateLimiter#tryAcquire(String)}, with its own store in memory. */
public final class WeirLimiter implements Limiter {
    private final RateLimiter limiter;

    WeirLimiter(Limits limits) {
        this(limits, Clock.system());
    }

    /** Weir on a clock that is turned by hand, so that its log can be filled in no time. */
    public WeirLimiter(Limits limits, Clock clock) {
        limiter = RateLimiter.builder().limits(limits).clock(clock).build();
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
