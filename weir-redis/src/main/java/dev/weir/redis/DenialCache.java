package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The denials that this process caches, at most 65,536 and one for each key. Those that have expired are removed ten times a second, but
 * none before those that were added earlier. Thread-safe.
 */
final class DenialCache {
    private static final int MAX = 65_536;
    private static final int CHANGES = 1_024;
    private static final long PRUNE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private volatile long longestNanos; // zero from close() on
    private final Timer timer;
    private final ConcurrentHashMap<KeyId, CachedDenial> denials = new ConcurrentHashMap<>();
    private final AtomicLongArray changedAt =
            new AtomicLongArray(CHANGES); // by System.nanoTime; several keys share one
    private final Object lock = new Object();
    private final ArrayDeque<Entry> oldestFirst = new ArrayDeque<>(); // guarded by the lock
    private boolean pruning; // guarded by the lock

    private record Entry(KeyId key, CachedDenial denial) {}

    /** Creates a cache that keeps each denial for the given time at most; zero turns it off. */
    DenialCache(long longestNanos, Timer timer) {
        this.longestNanos = longestNanos;
        this.timer = timer;
        for (int i = 0; i < CHANGES; i++) {
            changedAt.set(i, System.nanoTime());
        }
    }

    /** Returns the cached denial of a request; null if the server must decide. */
    @Nullable
    Decision denial(String limiter, Limits limits, String key, long permits, long maxWaitNanos) {
        if (denials.isEmpty()) {
            return null;
        }
        CachedDenial known = denials.get(new KeyId(limiter, key));
        return known == null ? null : known.answer(limits, permits, maxWaitNanos, System.nanoTime());
    }

    private static int place(KeyId key) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16)) & (CHANGES - 1);
    }

    /** Discards the cached denial of a key whose state changes, and those that scripts in flight will return. */
    void invalidate(Request request) {
        KeyId key = KeyId.of(request);
        // before the removal, so that no older denial is added after it
        changedAt.accumulateAndGet(place(key), System.nanoTime(), (one, other) -> one - other > 0 ? one : other);
        denials.remove(key);
    }

    /**
     * Caches the denials among the answers to a batch, unless the states of their keys have been changed since it was made. A grant
     * changes what remains and when to retry, so it discards the denial of its keys.
     *
     * @param answers in the order of the requests; empty if there are none
     */
    void learn(Batch batch, List<Answer> answers) {
        long longest = longestNanos;
        if (longest == 0) {
            return;
        }
        long now = System.nanoTime();
        for (int i = 0; i < answers.size(); i++) {
            PendingRequest request = batch.requests().get(i);
            Answer answer = answers.get(i);
            if (answer.decision().allowed() && !denials.isEmpty()) {
                request.requests().forEach(granted -> denials.remove(KeyId.of(granted)));
            } else if (CachedDenial.canCache(request, answer)) {
                add(request.firstKey(), new CachedDenial(request, answer, batch.madeAt(), now, longest), now);
            }
        }
    }

    private void add(KeyId key, CachedDenial denial, long now) {
        CachedDenial cached = denials.compute(
                key,
                (same, known) -> denial.isNewerThan(changedAt.get(place(key))) && denial.answersMoreThan(known, now)
                        ? denial
                        : known);
        if (cached == denial) {
            synchronized (lock) {
                oldestFirst.add(new Entry(key, denial));
                prune(now);
                pruneLater();
            }
        }
    }

    private void pruneNow() {
        synchronized (lock) {
            pruning = false;
            prune(System.nanoTime());
            pruneLater();
        }
    }

    private void pruneLater() {
        if (!pruning && !oldestFirst.isEmpty()) {
            pruning = true;
            var unused = timer.schedule(this::pruneNow, PRUNE_NANOS);
        }
    }

    /** Removes expired denials, and the oldest if there are too many; after {@link #close} all. */
    private void prune(long now) {
        Entry oldest = oldestFirst.peek();
        while (oldest != null && (longestNanos == 0 || oldestFirst.size() > MAX || oldest.denial.isExpired(now))) {
            oldestFirst.remove();
            denials.remove(oldest.key, oldest.denial);
            oldest = oldestFirst.peek();
        }
    }

    /** Discards all denials; none is cached from then on. */
    void close() {
        longestNanos = 0;
        synchronized (lock) {
            prune(System.nanoTime());
        }
    }

    /** Returns the number of cached denials. */
    int size() {
        return denials.size();
    }
}
