package dev.weir.redis;

import dev.weir.Accounting.Method;
import dev.weir.Decision;
import dev.weir.Limits;
import org.jspecify.annotations.Nullable;

/**
 * A cached denial, which answers requests for as many permits or more until its retry-after, counted from the time of sending.
 * Times are of {@link System#nanoTime}. Immutable.
 */
final class CachedDenial {
    private final Limits limits;
    private final long permits;
    private final Decision decision;
    private final long sentAt;
    private final long receivedAt;
    private final long lasts;

    /** Creates a denial of a single request, to be cached for the given time at most. */
    CachedDenial(JointRequest denied, Answer answer, long sentAt, long receivedAt, long longestNanos) {
        this.limits = denied.requests().get(0).limits();
        this.permits = denied.requests().get(0).permits();
        this.decision = answer.decision();
        this.sentAt = sentAt;
        this.receivedAt = receivedAt;
        this.lasts = Math.min(Math.min(longestNanos, answer.cacheableNanos()), decision.retryAfterNanos());
    }

    /**
     * Whether the answer is a denial that may be cached. The server must count each attempt where attempts count. With several
     * limits or keys the statuses of those that did not deny may change at any time, so that only the server knows them. A request
     * that was denied although its wait is short enough was denied for another reason, such as a full queue, which says nothing about
     * requests that wait less.
     */
    static boolean canCache(JointRequest request, Answer answer) {
        return !answer.isRefused()
                && !answer.isUndecided()
                && !answer.decision().allowed()
                && answer.decision().retryAfterNanos() > request.maxWaitNanos()
                && !request.hasSeveralLimits()
                && request.requests().get(0).limits().list().get(0).accounting().method() != Method.LOG_OF_ATTEMPTS;
    }

    /** Returns the denial of a request; null if the server must decide. */
    @Nullable
    Decision answer(Limits requested, long wanted, long maxWaitNanos, long now) {
        long age = now - sentAt;
        if (age >= lasts
                || wanted < permits
                || !requested.equals(limits)
                || (wanted > permits && !canBeGranted(wanted))) {
            return null;
        }
        long retry = decision.retryAfterNanos();
        if (retry != Long.MAX_VALUE && retry - age <= maxWaitNanos) {
            return null;
        }
        long since = now - receivedAt;
        Decision denied = Decision.denied(
                decision.limit(),
                decision.remaining(),
                later(retry, since),
                later(decision.resetAfterNanos(), since),
                decision.timeNanos() + since);
        return decision.blocked() ? denied.asBlocked() : denied;
    }

    private static long later(long nanos, long since) {
        return nanos == Long.MAX_VALUE ? nanos : Math.max(0, nanos - since);
    }

    /** Whether the limits can grant that many permits at any time; if not, the server must say so. */
    private boolean canBeGranted(long wanted) {
        return limits.list().stream().allMatch(limit -> wanted <= limit.maxPermitsPerRequest());
    }

    /** Whether this answers more requests than another cached denial. */
    boolean answersMoreThan(@Nullable CachedDenial other, long now) {
        return other == null || permits < other.permits || other.isExpired(now) || !limits.equals(other.limits);
    }

    /** Whether its request was sent after this time. */
    boolean isNewerThan(long time) {
        return sentAt - time > 0;
    }

    /** Whether it no longer answers any request. */
    boolean isExpired(long now) {
        return now - sentAt >= lasts;
    }
}
