package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Status;
import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.LimitState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One decision: all limits of all requests grant at the same instant, or none does. The caller holds the locks of the states, which
 * are prepared for the requests.
 *
 * <p>Waits are counted from the reading of the request; the states may have seen a later time, which is {@code lag} after it.
 */
final class Decider {
    /**
     * How many fits are looked for until all limits agree on an instant, but for at least two rounds of all limits; a request that
     * needs more may not wait. Bounds the time under the locks.
     */
    static final int MAX_SEARCHES = 100;

    private static final long NEVER = Algorithm.NEVER;

    private final long reading;
    private final long lag;
    private final long now;
    private final List<Claim> claims = new ArrayList<>(4);
    private long blockedFor;
    private boolean recorded; // a denial has been recorded
    private boolean exhausted; // the search has ended before it found an instant

    /** One limit of a request, which has a position among those that are decided together, and the wait until the block of its key ends. */
    private record Claim(
            int request,
            Algorithm algorithm,
            LimitState state,
            long permits,
            long blockedFor,
            @Nullable List<LongConsumer> refunds) {}

    Decider(long reading, long now) {
        this.reading = reading;
        this.lag = now - reading;
        this.now = now;
    }

    /**
     * Decides at once for a key with one limit and nothing else, as nearly all keys are. Returns null if the state is not of this
     * kind.
     *
     * @param last the offer that was open before
     */
    static @Nullable Decision decideAlone(KeyState state, Limits limits, long permits, long reading, Offer last) {
        Algorithm algorithm = state.onlyAlgorithm(limits);
        if (algorithm == null) {
            return null;
        }
        long now = state.timeAt(reading);
        state.advanceTo(now);
        long remaining = algorithm.tryGrant(state, now, permits);
        if (remaining == Algorithm.DENIED) {
            return decideAtOnce(state, limits, permits, reading);
        }
        long resetAfter = algorithm.resetAfter(state, now);
        Decision allowed = Decision.allowed(algorithm.limit(), remaining, 0, plus(resetAfter, now - reading), now);
        boolean isBusy = last.close() > 0; // the next offer is likely to be used, too
        long joins = algorithm.joinsFor(state, now, isBusy ? 0 : permits);
        if (joins > 0) {
            long steady = algorithm.steadyFor(state, now);
            Offer.Times times = new Offer.Times(Math.min(joins, steady), steady, steady, resetAfter);
            state.open(Offer.of(limits, allowed, now, times));
        }
        return allowed;
    }

    /** Decides at once for one key, whose state is prepared, and opens an offer if that is possible. */
    static Decision decideAtOnce(KeyState state, Limits limits, long permits, long reading) {
        Decider decider = new Decider(reading, state.timeAt(reading));
        decider.add(0, state, permits, null);
        Decision decision = decider.decide(0);
        state.open(decider.offer(limits, decision, permits));
        return decision;
    }

    /** Returns what {@link #decideAtOnce} would return. */
    static Decision peek(KeyState state, long permits, long reading) {
        Decider decider = new Decider(reading, state.timeAt(reading));
        decider.add(0, state, permits, null);
        long wait = decider.earliest();
        return decider.decision(wait == 0, wait);
    }

    /**
     * Adds the limits of a request.
     *
     * @param refunds receives the means to refund it, once it is granted; null if nothing will be refunded
     */
    void add(int request, KeyState state, long permits, @Nullable List<LongConsumer> refunds) {
        long blocked = state.blockedFor(now);
        for (int i = 0; i < state.size(); i++) {
            claims.add(new Claim(request, state.algorithm(i), state.state(i), permits, blocked, refunds));
        }
        blockedFor = Math.max(blockedFor, blocked);
    }

    /** Grants at the earliest instant that fits all limits, if that is at most {@code maxWait} after the reading. Returns the decision. */
    Decision decide(long maxWait) {
        long wait = earliest();
        boolean inTime = wait == 0 || (!exhausted && wait <= Math.min(maxWait - lag, Algorithm.MAX_WAIT));
        if (inTime && canGrant(wait)) {
            for (Claim claim : claims) {
                if (claim.refunds == null) {
                    claim.algorithm.grant(claim.state, now, claim.permits);
                } else {
                    claim.refunds.add(claim.algorithm.reserve(claim.state, now, wait, claim.permits));
                }
            }
            return decision(true, wait);
        }
        long retry = inTime ? retryAfter(wait) : wait;
        for (Claim claim : claims) {
            recorded |= claim.algorithm.recordDenied(claim.state, now, claim.permits);
        }
        return decision(false, recorded ? earliest() : retry);
    }

    /**
     * Returns the least wait that fits all limits; {@link #NEVER} if none does. If it is {@link #exhausted}, no shorter wait fits them
     * all.
     */
    private long earliest() {
        int limits = claims.size();
        long wait = blockedFor;
        int agreed = 0; // limits in a row that fit at this wait
        for (int searches = 0; searches < Math.max(MAX_SEARCHES, 2 * limits); searches += limits) {
            for (Claim claim : claims) {
                long fit = claim.algorithm.earliest(claim.state, now, wait, claim.permits);
                agreed = fit == wait ? agreed + 1 : 1;
                wait = fit;
                if (agreed == limits || wait == NEVER) {
                    return wait;
                }
            }
        }
        exhausted = true;
        return wait;
    }

    private boolean canGrant(long wait) {
        for (Claim claim : claims) {
            if (!claim.algorithm.canGrant(claim.state, now, wait, claim.permits)) {
                return false;
            }
        }
        return true;
    }

    private long retryAfter(long wait) {
        long retry = blockedFor;
        for (Claim claim : claims) {
            retry = Math.max(retry, claim.algorithm.retryAfter(claim.state, now, wait, claim.permits));
        }
        return retry;
    }

    /**
     * Returns the decision: on one limit, or as the statuses of all limits describe it.
     *
     * @param wait the wait if it is allowed, else that until the request would be allowed
     */
    private Decision decision(boolean allowed, long wait) {
        long delay = allowed && wait == 0 ? 0 : plus(wait, lag);
        long time = allowed && delay == 0 ? now : reading;
        Decision decision = claims.size() == 1
                ? ofOneLimit(claims.get(0), allowed, delay, time)
                : Decision.of(statuses(allowed), allowed, delay, time);
        return blockedFor > 0 && !allowed ? decision.asBlocked() : decision;
    }

    private Decision ofOneLimit(Claim claim, boolean allowed, long delay, long time) {
        Limit limit = claim.algorithm.limit();
        return allowed
                ? Decision.allowed(limit, remaining(claim), delay, resetAfter(claim), time)
                : Decision.denied(limit, remaining(claim), delay, resetAfter(claim), time);
    }

    private List<Status> statuses(boolean allowed) {
        List<Status> statuses = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            long fit = allowed ? 0 : claim.algorithm.earliest(claim.state, now, claim.blockedFor, claim.permits);
            long retry = fit == 0 ? 0 : plus(fit, lag);
            statuses.add(
                    new Status(claim.request, claim.algorithm.limit(), remaining(claim), retry, resetAfter(claim)));
        }
        return statuses;
    }

    private long remaining(Claim claim) {
        return claim.blockedFor > 0 ? 0 : claim.algorithm.remaining(claim.state, now);
    }

    private long resetAfter(Claim claim) {
        return plus(claim.algorithm.resetAfter(claim.state, now), lag);
    }

    /** Returns an offer that answers like this decision for as long as nothing else happens; none if that is too short. */
    private Offer offer(Limits limits, Decision decision, long permits) {
        boolean repeatable = decision.allowed() || (permits == 1 && decision.remaining() == 0 && !recorded);
        if (lag > 0 || blockedFor > 0 || !repeatable) {
            return Offer.NONE;
        }
        long joins = decision.allowed() ? NEVER : 0;
        long steady = NEVER;
        for (Claim claim : claims) {
            joins = joins == 0 ? 0 : Math.min(joins, claim.algorithm.joinsFor(claim.state, now, permits));
            steady = steady == 0 ? 0 : Math.min(steady, claim.algorithm.steadyFor(claim.state, now));
        }
        if (steady == 0 || (joins == 0 && decision.allowed())) {
            return Offer.NONE;
        }
        long retry = decision.allowed() ? steady : decision.retryAfterNanos();
        long deniedFor = !decision.allowed() || claims.size() == 1 ? Math.min(steady, retry) : -NEVER / 2;
        return Offer.of(
                limits,
                decision,
                now,
                new Offer.Times(Math.min(joins, steady), deniedFor, retry, decision.resetAfterNanos()));
    }

    private static long plus(long wait, long lag) {
        return wait > NEVER - lag ? NEVER : wait + lag;
    }
}
