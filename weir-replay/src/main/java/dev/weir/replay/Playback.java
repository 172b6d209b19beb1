package dev.weir.replay;

import dev.weir.Accounting;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimiterListener;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.replay.Recording.Moment;
import dev.weir.replay.ReplayResult.Delays;
import dev.weir.replay.ReplayResult.DeniedKey;
import dev.weir.replay.trace.EventConsumer;
import dev.weir.replay.trace.Trace;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.testkit.WorstWindow;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One limit in front of the requests of a trace. A leaky bucket is played as the queue it is: whoever finds room waits,
 * however long, and counts where it leaves.
 */
final class Playback implements EventConsumer, AutoCloseable {
    private static final int STEP = 1 << 14; // requests between two progress reports
    private static final int TOP = 10; // most denied keys in a result
    private static final Comparator<DeniedKey> MOST_DENIED =
            Comparator.comparingLong(DeniedKey::denied).reversed().thenComparing(DeniedKey::key);
    private static final Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Trace trace;
    private final Limit limit;
    private final LongConsumer progress;
    private final boolean queue;
    private final Store store;
    private final RateLimiter limiter;
    private final WorstWindow worst;
    private final long[] deniedByKey;
    private final BitLog decisions;
    private final AtomicLong now = new AtomicLong(); // the removal of idle keys reads it too
    private @Nullable StoreException storeFailure;
    private long played;
    private long denied;
    private long delayed;
    private long maxWaitNanos;

    /** Prepares a replay that appends each decision to a log. */
    Playback(Trace trace, Limit limit, Function<TimeSource, Store> stores, BitLog decisions, LongConsumer progress) {
        this.trace = trace;
        this.limit = limit;
        this.decisions = decisions;
        this.progress = progress;
        this.queue = limit.accounting().method() == Accounting.Method.QUEUE;
        this.store = stores.apply(now::get);
        this.limiter = limiter();
        this.worst = new WorstWindow(limit.windowNanos());
        this.deniedByKey = new long[trace.keys()];
    }

    /** Creates the limiter; closes the store if it cannot hold the limit. */
    private RateLimiter limiter() {
        try {
            return RateLimiter.builder()
                    .name("replay")
                    .limit(limit)
                    .store(store)
                    .listener(new LimiterListener() {
                        @Override
                        public void storeFailed(String limiter, String key, StoreException failure) {
                            storeFailure = failure;
                        }
                    })
                    .build();
        } catch (IllegalArgumentException refused) {
            store.close();
            throw refused;
        }
    }

    @Override
    public void accept(long timeNanos, int keyId, long permits) {
        now.setRelease(timeNanos);
        Decision decision = decide(trace.key(keyId), permits);
        if (storeFailure != null) {
            throw storeFailure; // what the failure policy decides says nothing about the limit
        }
        decisions.add(decision.allowed());
        if (decision.allowed()) {
            long wait = decision.waitNanos();
            worst.granted(keyId, saturatedSum(timeNanos, wait), permits);
            if (wait > 0) {
                delayed++;
                maxWaitNanos = Math.max(maxWaitNanos, wait);
            }
        } else {
            denied++;
            deniedByKey[keyId]++;
        }
        if (++played % STEP == 0) {
            progress.accept(played);
        }
    }

    private Decision decide(String key, long permits) {
        return queue ? limiter.reserve(key, permits, UNLIMITED).decision() : limiter.tryAcquire(key, permits);
    }

    ReplayResult result() {
        progress.accept(played);
        Delays delays = queue ? new Delays(delayed, (maxWaitNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI) : null;
        return new ReplayResult(limit, played - denied, denied, worst.worst(), topDenied(), delays);
    }

    /** Returns where the worst window is, or null if nothing was granted. */
    @Nullable
    Moment worst() {
        return worst.worstKey() < 0 ? null : new Moment(worst.worstKey(), worst.worstEndNanos());
    }

    /** Returns the most denied keys, most denied first and then by key. */
    private List<DeniedKey> topDenied() {
        PriorityQueue<DeniedKey> top =
                new PriorityQueue<>(MOST_DENIED.reversed()); // the least denied of them at the head
        for (int key = 0; key < deniedByKey.length; key++) {
            if (deniedByKey[key] > 0) {
                top.add(new DeniedKey(trace.key(key), deniedByKey[key]));
                if (top.size() > TOP) {
                    top.remove();
                }
            }
        }
        return top.stream().sorted(MOST_DENIED).toList();
    }

    /** Leaves nothing behind in the store. */
    @Override
    public void close() {
        try (store) {
            if (!(store instanceof MemoryStore)) {
                for (int keyId = 0; keyId < trace.keys(); keyId++) {
                    limiter.reset(trace.key(keyId));
                }
            }
        }
    }

    private static long saturatedSum(long time, long wait) {
        return time > Long.MAX_VALUE - wait ? Long.MAX_VALUE : time + wait;
    }
}
