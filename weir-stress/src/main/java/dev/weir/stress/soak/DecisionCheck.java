package dev.weir.stress.soak;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks of a decision that do not need the log of its key. A decision names its time on the store's clock: permits that are granted
 * at once are recorded at the end of its tick, others at that time plus the wait.
 */
final class DecisionCheck {
    private DecisionCheck() {}

    /** Returns what is wrong with a decision by a store that is not full, which took this many permits; null if nothing is. */
    static @Nullable String error(Decision decision, int taken, List<Request> requests) {
        Limit limit = decision.limit();
        if (requests.stream().noneMatch(request -> request.limits().list().contains(limit))) {
            return "the call was not given the limit that it names";
        } else if (decision.degraded()) {
            return "degraded, though the store is not full";
        } else if (decision.blocked()) {
            return "blocked, though no key is blocked";
        } else if (decision.remaining() > limit.permits() - taken) {
            return "more remaining than the limit holds";
        } else if (decision.allowed() == decision.retryAfterNanos() > 0) {
            return "allowed with a retry-after, or denied without";
        }
        long limits = requests.stream()
                .mapToLong(request -> request.limits().list().size())
                .sum();
        return decision.statuses().size() == limits ? null : "not one status for each limit";
    }

    /** Returns what is wrong with the time of a decision by a call from {@code start} to {@code end}; null if nothing is. */
    static @Nullable String timeError(Decision decision, long start, long end) {
        long time = decision.timeNanos();
        long newest = time + decision.resetAfterNanos() - decision.limit().windowNanos();
        boolean granted = decision.allowed() && decision.waitNanos() == 0;
        boolean wrong = time < start || time > end || (granted && newest < time);
        return wrong ? "decided at " + time + " by a call from " + start + " to " + end : null;
    }

    /** Returns the instant at which an admission is recorded in a limit's log. */
    static long stamp(Decision decision, Limit limit) {
        long time = decision.timeNanos();
        long wait = decision.waitNanos();
        long tick = limit.accounting().tickNanos();
        return wait > 0 ? time + wait : time + Math.floorMod(-time, tick);
    }
}
