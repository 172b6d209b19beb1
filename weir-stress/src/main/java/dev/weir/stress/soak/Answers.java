package dev.weir.stress.soak;

import dev.weir.Decision;
import dev.weir.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks of what can be told from a decision alone. */
final class Answers {
    private Answers() {}

    /** Returns what is wrong with a decision by a store that has room, and that took this many permits; null if nothing is. */
    static @Nullable String wrong(Decision decision, int taken, List<Request> requests) {
        long permitsOfLimit = decision.limit().permits();
        if (requests.stream().noneMatch(request -> request.limits().list().contains(decision.limit()))) {
            return "the limit it names is not one that the call was given";
        } else if (decision.degraded()) {
            return "decided by policy, though the store is not full";
        } else if (decision.blocked()) {
            return "blocked, though no key is blocked";
        } else if (decision.remaining() > permitsOfLimit - taken) {
            return "more remains than the limit holds";
        } else if (decision.allowed() == decision.retryAfterNanos() > 0) {
            return "allowed and to be tried again, or denied and not";
        } else if (decision.statuses().size() != limits(requests)) {
            return "not one status for each limit";
        }
        return null;
    }

    private static int limits(List<Request> requests) {
        return requests.stream()
                .mapToInt(request -> request.limits().list().size())
                .sum();
    }
}
