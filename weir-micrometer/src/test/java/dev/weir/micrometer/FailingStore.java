package dev.weir.micrometer;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import dev.weir.store.StoreStatistics;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A store that fails each decision with the next of some failures, the last one again and again. */
final class FailingStore implements Store {
    private final TimeSource time;
    private final Deque<StoreException> failures;
    StoreStatistics statistics = StoreStatistics.NONE;

    FailingStore(TimeSource time, StoreException... failures) {
        this.time = time;
        this.failures = new ArrayDeque<>(Arrays.asList(failures));
    }

    @Override
    public TimeSource timeSource() {
        return time;
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        throw failures.size() > 1 ? failures.remove() : failures.element();
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        throw failures.element();
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        return CompletableFuture.failedFuture(failures.element());
    }

    @Override
    public CompletableFuture<Void> resetAsync(Request request) {
        return CompletableFuture.failedFuture(failures.element());
    }

    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        return CompletableFuture.failedFuture(failures.element());
    }

    @Override
    public CompletableFuture<Void> unblockAsync(Request request) {
        return CompletableFuture.failedFuture(failures.element());
    }

    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        return CompletableFuture.failedFuture(failures.element());
    }

    @Override
    public StoreStatistics statistics() {
        return statistics;
    }

    @Override
    public void close() {
        // nothing to close
    }
}
