package dev.weir.store;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.internal.Futures;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Holds the state of every key and decides requests, one atomic step per decision, on its own clock. Thread-safe. Applications
 * call a {@link dev.weir.RateLimiter} instead, which checks arguments. An implementation must pass {@code StoreContract} and
 * {@code PromiseContract} of weir-testkit.
 *
 * <p>{@link dev.weir.Limit#accounting} states how a limit counts. Its state belongs to the limiter, the key and the limit's
 * {@linkplain Limits#nameOf name}, and is carried over as {@link dev.weir.RateLimiter#changeLimits} states when a request has
 * other limits. The time of a store does not decrease, whatever its clock reads. A decision on several limits is {@linkplain
 * Decision#of made of their statuses}, and a denial of a blocked key is {@linkplain Decision#asBlocked marked}.
 *
 * <p>A store outside this process fails with a {@link StoreException} when it does not answer; a limiter then decides by its
 * {@link dev.weir.FailurePolicy}.
 */
public interface Store extends AutoCloseable {

    /** {@return the time source on which its limiters wait; by default the system source} */
    default TimeSource timeSource() {
        return TimeSource.system();
    }

    /**
     * Checks limits that will be used with this store. Limiters call this when they are built and when their limits change.
     *
     * @param limits the limits
     * @throws IllegalArgumentException if this store cannot hold them
     */
    default void check(Limits limits) {}

    /**
     * Decides at once: grants the permits if they fit now. Takes the parts of a {@link Request}, so that the usual decision
     * allocates nothing but its result.
     *
     * @param limiter the name of the limiter
     * @param limits the limits of the key
     * @param key the key
     * @param permits the number of permits
     * @return the decision
     */
    Decision decide(String limiter, Limits limits, String key, long permits);

    /**
     * Decides all requests or none: grants them at the earliest instant that fits all their limits, the same instant for all, if
     * it is at most {@code maxWaitNanos} from now.
     *
     * @param requests the requests; no two have the same limiter and key
     * @param maxWaitNanos the longest wait in nanoseconds
     * @return the decision of all, and the means to refund
     */
    StoreReservation reserve(List<Request> requests, long maxWaitNanos);

    /**
     * Decides as {@link #reserve} does, without blocking a thread. A caller that no longer needs the result cancels the future; the
     * store then releases what it has granted or will grant, since the caller has no reservation.
     *
     * @param requests the requests; no two have the same limiter and key
     * @param maxWaitNanos the longest wait in nanoseconds
     * @return a future of what {@code reserve} returns or throws
     */
    default CompletableFuture<StoreReservation> reserveAsync(List<Request> requests, long maxWaitNanos) {
        return Futures.attempt(() -> CompletableFuture.completedFuture(reserve(requests, maxWaitNanos)));
    }

    /**
     * Returns what {@link #decide} would return now, and writes nothing. What remains and the reset-after are those before the
     * grant.
     *
     * @param request the request
     * @return a future of the decision
     */
    CompletableFuture<Decision> peekAsync(Request request);

    /**
     * Forgets the grants of the request's key and lifts its block. Pending reservations stay due.
     *
     * @param request the request; its permits do not matter
     * @return a future that completes when the state is reset
     */
    CompletableFuture<Void> resetAsync(Request request);

    /**
     * Denies all requests for the request's key for the given duration. Does not shorten an earlier block.
     *
     * @param request the request; its permits do not matter
     * @param nanos the duration in nanoseconds, at least 1; may be cut to 142 years
     * @return a future that completes when the key is blocked
     */
    CompletableFuture<Void> blockAsync(Request request, long nanos);

    /**
     * Lifts the block of the request's key.
     *
     * @param request the request; its permits do not matter
     * @return a future that completes when the block is lifted
     */
    CompletableFuture<Void> unblockAsync(Request request);

    /**
     * Describes the state of the request's key in one atomic step, and writes nothing.
     *
     * @param request the request; its permits do not matter
     * @param maxRuns the most runs, and the most pending reservations, to report for each limit: the newest; at least 0
     * @return a future of the snapshot
     */
    CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns);

    /** {@return what this store did and holds, for metrics; by default nothing} Never blocks on the store. */
    default StoreStatistics statistics() {
        return StoreStatistics.NONE;
    }

    /** Releases threads and connections. Decisions after that are undefined; waits that have begun continue. */
    @Override
    void close();
}
