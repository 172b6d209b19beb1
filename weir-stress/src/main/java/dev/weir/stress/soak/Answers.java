package dev.weir.stress.soak;

import dev.weir.Decision;
import dev.weir.store.Claim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be told from a decision alone. */
final class Answers {
    private Answers() {}

    /** What is wrong with a decision that took so many permits, by a store that has room; null if nothing is. */
    static @Nullable String wrong(Decision decision, int taken, List<Claim> claims) {
        long permitsOfLimit = decision.limit().permits();
        if (claims.stream().noneMatch(claim -> claim.limits().list().contains(decision.limit()))) {
            return "the limit it names is not one that the call was given";
        } else if (decision.degraded()) {
            return "decided by policy, though the store is not full";
        } else if (decision.remaining() < 0) {
            return "less than nothing remains";
        } else if (decision.remaining() > permitsOfLimit - taken) {
            return "more remains than the limit holds";
        } else if (decision.waitNanos() < 0 || decision.resetAfterNanos() < 0) {
            return "a wait is negative";
        } else if (decision.allowed() == decision.retryAfterNanos() > 0) {
            return "allowed and to be tried again, or denied and not";
        }
        return null;
    }
}
