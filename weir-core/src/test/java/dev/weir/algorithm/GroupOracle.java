package dev.weir.algorithm;

import dev.weir.Decision;
import dev.weir.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The decision on requests for several keys, each under several limits, by definition: all or none, at one instant, which is the
 * least that fits every limit and every block. A request may not wait if the limits still disagree when each was searched twice, or as
 * often as makes 100 searches.
 */
final class GroupOracle {
    /** A request for a key. */
    record Request(KeyOracle key, long permits) {}

    private final List<Request> requests;
    private final long now;
    private boolean exhausted;

    /** The keys are prepared for the limits of the requests. */
    GroupOracle(List<Request> requests, long now) {
        this.requests = requests;
        this.now = now;
    }

    /** Decides and writes nothing. */
    Decision peek() {
        long wait = earliest();
        return wait == 0 ? allowed(0) : denied(wait);
    }

    /** Decides, and adds what refunds the grants of each request. */
    Decision decide(long maxWait, List<List<Oracle.Refund>> refunds) {
        long wait = earliest();
        boolean inTime = !exhausted && (wait == 0 || wait <= Math.min(maxWait, Oracle.MAX_WAIT));
        if (inTime && requests.stream().allMatch(one -> one.key.mayReserve(now, wait, one.permits))) {
            for (Request one : requests) {
                List<Oracle.Refund> each = new ArrayList<>();
                for (int i = 0; i < one.key.size(); i++) {
                    each.add(one.key.limit(i).grant(now, wait, one.permits));
                }
                refunds.add(each);
            }
            return allowed(wait);
        }
        long retry = inTime ? 0 : wait;
        boolean counted = false;
        for (Request one : requests) {
            retry = inTime ? Math.max(retry, one.key.blockedFor(now)) : retry;
            for (int i = 0; i < one.key.size(); i++) {
                retry = inTime ? Math.max(retry, one.key.limit(i).retry(now, wait, one.permits)) : retry;
            }
        }
        for (Request one : requests) {
            for (int i = 0; i < one.key.size(); i++) {
                counted |= one.key.limit(i).denied(now, one.permits);
            }
        }
        return denied(counted ? earliest() : retry);
    }

    /** Each limit, one after the other, moves the wait to its next fit, until the others agree with the one that moved it last. */
    private long earliest() {
        long wait = 0;
        List<LongUnaryOperator> fits = new ArrayList<>();
        for (Request one : requests) {
            wait = Math.max(wait, one.key.blockedFor(now));
            for (int i = 0; i < one.key.size(); i++) {
                Oracle limit = one.key.limit(i);
                fits.add(from -> limit.earliest(now, from, one.permits));
            }
        }
        int limits = fits.size();
        int moved = 0; // in the latest search that moved the wait
        for (int search = 0; search < Math.max(100, 2 * limits) || search % limits > 0; search++) {
            long fit = fits.get(search % limits).applyAsLong(wait);
            moved = fit > wait ? search : moved;
            wait = fit;
            if (search - moved == limits - 1) {
                return wait;
            }
        }
        exhausted = true;
        return wait;
    }

    /** The limit with the least remaining permits is named, the first among equals. */
    private Decision allowed(long wait) {
        Oracle named = requests.get(0).key.limit(0);
        long least = Long.MAX_VALUE;
        for (Request one : requests) {
            for (int i = 0; i < one.key.size(); i++) {
                if (one.key.remainingOf(i, now) < least) {
                    least = one.key.remainingOf(i, now);
                    named = one.key.limit(i);
                }
            }
        }
        return completed(Decision.allowed(named.rule().limit(), remaining(), wait, named.resetAfter(now), now));
    }

    /** The limit with the latest fit is named, not before the block of its key ends; the first among equals. */
    private Decision denied(long retry) {
        boolean blocked = requests.stream().anyMatch(one -> one.key.blockedFor(now) > 0);
        Oracle named = requests.get(0).key.limit(0);
        long latest = -1;
        for (Request one : requests) {
            for (int i = 0; i < one.key.size(); i++) {
                long fits = one.key.earliestOf(i, now, one.permits);
                if (fits > latest) {
                    latest = fits;
                    named = one.key.limit(i);
                }
            }
        }
        Decision denied = Decision.denied(named.rule().limit(), remaining(), retry, named.resetAfter(now), now);
        return completed(blocked ? denied.asBlocked() : denied);
    }

    private long remaining() {
        return requests.stream().mapToLong(one -> one.key.remaining(now)).min().orElseThrow();
    }

    private Decision completed(Decision decision) {
        if (requests.size() == 1 && requests.get(0).key.size() == 1) {
            return decision;
        }
        List<Status> statuses = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            KeyOracle key = requests.get(i).key;
            for (int j = 0; j < key.size(); j++) {
                Oracle limit = key.limit(j);
                long retry = decision.allowed() ? 0 : key.earliestOf(j, now, requests.get(i).permits);
                statuses.add(
                        new Status(i, limit.rule().limit(), key.remainingOf(j, now), retry, limit.resetAfter(now)));
            }
        }
        return decision.withStatuses(statuses);
    }
}
