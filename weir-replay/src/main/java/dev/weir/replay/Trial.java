package dev.weir.replay;

import dev.weir.Accounting;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimiterListener;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One limit that decides on the requests of a log, at the times in the log. A leaky bucket is the queue that it is: requests that fit
 * wait, however long that takes. Not thread-safe.
 */
final class Trial implements AutoCloseable {
    private static final Duration UNLIMITED = Duration.ofNanos(Long.MAX_VALUE);

    private final Limit limit;
    private final boolean queue;
    private final Store store;
    private final RateLimiter limiter;
    private final AtomicLong now = new AtomicLong(); // the removal of idle keys reads it too
    private @Nullable StoreException storeFailure;

    /**
     * Creates a limiter on a store of its own, which is closed if it does not support the limit.
     *
     * @throws IllegalArgumentException if the store does not support the limit
     */
    Trial(Limit limit, Function<TimeSource, Store> stores) {
        this.limit = limit;
        this.queue = limit.accounting().method() == Accounting.Method.QUEUE;
        this.store = stores.apply(now::get);
        this.limiter = limiter();
    }

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

    Limit limit() {
        return limit;
    }

    /** Returns whether requests wait until they leave the limit. */
    boolean isQueue() {
        return queue;
    }

    /** Returns whether the state is in memory, and so disappears with this. */
    boolean isInMemory() {
        return store instanceof MemoryStore;
    }

    /**
     * Decides on a request.
     *
     * @throws StoreException if the store failed; what the failure policy decides says nothing about the limit
     */
    Decision decide(long timeNanos, String key, long permits) {
        now.setRelease(timeNanos);
        Decision decision =
                queue ? limiter.reserve(key, permits, UNLIMITED).decision() : limiter.tryAcquire(key, permits);
        if (storeFailure != null) {
            throw storeFailure;
        }
        return decision;
    }

    /** Removes what the store knows of a key. */
    void reset(String key) {
        limiter.reset(key);
    }

    @Override
    public void close() {
        store.close();
    }
}
