package dev.weir.replay;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import dev.weir.testkit.WorstWindow;
import java.time.Duration;

/**
 * One limit in front of the requests of a trace. A leaky bucket is played as the queue it is: whoever finds room waits,
 * however long, and counts where it leaves.
 */
final class Playback implements EventConsumer {
    private static final int STEP = 1 << 14; // requests between two words of progress
    private static final Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Trace trace;
    private final Limit limit;
    private final ProgressListener progress;
    private final boolean queue;
    private final RateLimiter limiter;
    private final WorstWindow worst;
    private final Denials denials;
    private volatile long now; // the sweeper reads it too
    private long played;
    private long denied;
    private long delayed;
    private long maxWaitNanos;

    Playback(Trace trace, Limit limit, ProgressListener progress) {
        this.trace = trace;
        this.limit = limit;
        this.progress = progress;
        this.queue = limit instanceof Limit.LeakyBucket;
        this.limiter = RateLimiter.builder()
                .limit(limit)
                .clock(() -> now)
                .store(MemoryStore.builder()
                        .clock(() -> now)
                        .maxKeys(trace.keys())
                        .build())
                .build();
        this.worst = new WorstWindow(limit.windowNanos());
        this.denials = new Denials(trace.keys());
    }

    @Override
    public void accept(long timeNanos, int keyId, long permits) {
        now = timeNanos;
        Decision decision = decide(trace.key(keyId), permits);
        if (decision.allowed()) {
            long wait = decision.waitNanos();
            worst.admitted(keyId, saturatedSum(timeNanos, wait), permits);
            if (wait > 0) {
                delayed++;
                maxWaitNanos = Math.max(maxWaitNanos, wait);
            }
        } else {
            denied++;
            denials.add(keyId);
        }
        if (++played % STEP == 0) {
            progress.advanced(played);
        }
    }

    private Decision decide(String key, long permits) {
        return queue ? limiter.reserve(key, permits, UNLIMITED).decision() : limiter.tryAcquire(key, permits);
    }

    ReplayResult result() {
        progress.advanced(played);
        Delays delays = queue ? new Delays(delayed, (maxWaitNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI) : null;
        return new ReplayResult(limit, played - denied, denied, worst.worst(), denials.top(trace), delays);
    }

    private static long saturatedSum(long time, long wait) {
        return time > Long.MAX_VALUE - wait ? Long.MAX_VALUE : time + wait;
    }
}
