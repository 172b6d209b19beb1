package dev.weir.stress.races;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import java.time.Duration;

/** What the models share. */
final class Model {
    private Model() {}

    /** Creates a limiter; the window is in nanoseconds. */
    static RateLimiter limiter(long permits, long window, TimeSource timeSource) {
        return RateLimiter.builder()
                .name("model")
                .limit(Limit.slidingLog(permits, Duration.ofNanos(window)))
                .store(Room.ENOUGH.store(timeSource))
                .build();
    }

    static String text(Decision decision) {
        return text(decision.allowed(), decision.remaining());
    }

    static String text(boolean allowed, long remaining) {
        return (allowed ? "allowed, remaining " : "denied, remaining ") + remaining;
    }
}
