package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import org.jspecify.annotations.Nullable;

/**
 * A denial that Redis gave, and that is the answer to whoever asks for as much or more until the wait that it told is over,
 * counted from the sending. Times are of {@link System#nanoTime}. Immutable.
 */
final class Denial {
    private final Limits limits;
    private final long permits;
    private final Decision decision;
    private final long sentAt;
    private final long receivedAt;
    private final long lasts;

    /** A denial of so many permits, remembered for the longest time at most. */
    Denial(Ask asked, Decision decision, long sentAt, long receivedAt, long longestNanos) {
        this.limits = asked.claims().get(0).limits();
        this.permits = asked.claims().get(0).permits();
        this.decision = decision;
        this.sentAt = sentAt;
        this.receivedAt = receivedAt;
        this.lasts = Math.min(longestNanos, decision.retryAfterNanos());
    }

    /** Whether it is worth remembering: an attempt that is denied must be counted by the server. */
    static boolean isFor(Ask asked, Answer answer) {
        return !answer.refused()
                && !answer.decision().allowed()
                && asked.claims().size() == 1
                && asked.claims().get(0).limits().list().stream()
                        .noneMatch(
                                limit -> limit instanceof Limit.SlidingLog log && log.count() == Limit.Count.ATTEMPTS);
    }

    /** The denial of a request, if this is one; else the server has to be asked. */
    @Nullable
    Decision of(Limits asked, long wanted, long maxWaitNanos, long now) {
        long age = now - sentAt;
        if (age >= lasts || wanted < permits || !asked.equals(limits) || (wanted > permits && !everGranted(wanted))) {
            return null;
        }
        long retry = decision.retryAfterNanos();
        if (retry != Long.MAX_VALUE && retry - age <= maxWaitNanos) {
            return null;
        }
        long since = now - receivedAt;
        return new Decision(
                false,
                decision.limit(),
                decision.remaining(),
                0,
                retry == Long.MAX_VALUE ? retry : retry - since,
                decision.resetAfterNanos() == Long.MAX_VALUE
                        ? Long.MAX_VALUE
                        : Math.max(0, decision.resetAfterNanos() - since),
                false);
    }

    /** Whether so much is granted at any time at all; else that is what has to be said. */
    private boolean everGranted(long wanted) {
        return limits.list().stream().allMatch(limit -> wanted <= limit.mostAtOnce());
    }

    /** Whether this answers more than another, which is remembered already. */
    boolean betterThan(@Nullable Denial other, long now) {
        return other == null || permits <= other.permits || other.isOver(now) || !limits.equals(other.limits);
    }

    /** Whether it is the answer to nobody any more. */
    boolean isOver(long now) {
        return now - sentAt >= lasts;
    }
}
