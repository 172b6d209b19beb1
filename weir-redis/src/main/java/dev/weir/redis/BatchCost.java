package dev.weir.redis;

import dev.weir.Request;
import java.util.List;

/**
 * Estimates what a batch costs the server, so that no script runs for longer than 5 ms. The unit is a decision under one limit,
 * at most 150 us. Equal requests that follow each other are decided at once, unless each needs an instant of its own; what they
 * cost is learned from the answers. Not thread-safe.
 */
final class BatchCost {
    /** The largest cost of a batch. */
    static final double MAX = 32;

    /** The largest cost of the requests for one key in a batch, so that those for others need not wait for all of them. */
    static final double MAX_PER_KEY = MAX / 2;

    private static final int COST_OF_WAIT = 3; // the other reservations are read and written; once for equal requests
    private static final double LEAST = 1.0 / 128;
    private static final double LEAST_WITH_WAIT =
            1.0 / 4; // the limit may be used up at any time: then each waits alone
    private static final double DECAY = 0.75;

    private double shareAlone = LEAST; // of equal requests that were not decided together, lately
    private double shareAloneWithWait = 1;

    /** Returns the cost of a request that is not equal to the one before. */
    static double of(PendingRequest pending) {
        int limits = limits(pending);
        return pending.maxWaitNanos() > 0 ? COST_OF_WAIT * limits : limits;
    }

    private static int limits(PendingRequest pending) {
        List<Request> requests = pending.requests();
        int limits = 0;
        for (int i = 0; i < requests.size(); i++) {
            limits += requests.get(i).limits().list().size();
        }
        return limits;
    }

    /** Returns the cost of a request that is equal to the one before. */
    double ofEqual(PendingRequest pending) {
        double share = pending.maxWaitNanos() > 0
                ? Math.max(LEAST_WITH_WAIT, shareAloneWithWait)
                : Math.max(LEAST, shareAlone);
        return share * limits(pending);
    }

    /**
     * Learns from the answers to a group: those to requests that were decided together have the same handle.
     *
     * @param answers the answers to the requests, in their order
     */
    void learn(List<PendingRequest> group, List<Answer> answers) {
        int equal = 0;
        int alone = 0;
        for (int i = 1; i < group.size(); i++) {
            if (group.get(i).equalTo(group.get(i - 1))) {
                equal++;
                alone += areTogether(answers.get(i - 1), answers.get(i)) ? 0 : 1;
            }
        }
        if (equal == 0) {
            return;
        }
        double share = (double) alone / equal;
        if (group.get(0).maxWaitNanos() > 0) {
            shareAloneWithWait = Math.max(share, DECAY * shareAloneWithWait);
        } else {
            shareAlone = Math.max(share, DECAY * shareAlone);
        }
    }

    /** Whether two answers are one on the server: denials that count no attempts, or grants with the same handle. */
    @SuppressWarnings("ReferenceEquality") // the handle of one entry of the reply
    private static boolean areTogether(Answer one, Answer other) {
        return one.handle() == other.handle() && !other.isUndecided();
    }
}
