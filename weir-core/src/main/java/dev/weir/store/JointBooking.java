package dev.weir.store;

import dev.weir.Decision;
import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.Algorithm.GiveBack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A booking of one or more keys, all or nothing, at one instant. Their states are locked together, in an order that all
 * bookings keep; a give-back locks one after the other.
 */
final class JointBooking implements Booking {
    /** The order in which states are locked: those of their own by name, then the common ones by place. */
    private static final Comparator<Part> ORDER = Comparator.<Part>comparingInt(part -> part.state.slot())
            .thenComparing(part -> part.first().limiter())
            .thenComparing(part -> part.state.shared() ? "" : part.first().key());

    private final List<Part> parts = new ArrayList<>();
    private final List<GiveBack> giveBacks = new ArrayList<>();
    private boolean degraded;
    private @Nullable Decision admittedByPolicy;
    private @Nullable Decision decision;

    /** One state's share of the booking. There is more than one claim where keys share a state. */
    private record Part(KeyState state, List<Claim> claims, long permits) {
        Claim first() {
            return claims.get(0);
        }
    }

    @Override
    public Decision decision() {
        return Objects.requireNonNull(decision, "decided before it is handed out");
    }

    @Override
    public void giveBack(long permits) {
        for (int i = 0; i < giveBacks.size(); i++) {
            giveBack(i, permits * parts.get(i).claims.size());
        }
    }

    @Override
    public void giveBackRest(long before) {
        for (int i = 0; i < giveBacks.size(); i++) {
            long rest = parts.get(i).permits - before * parts.get(i).claims.size();
            if (rest > 0) {
                giveBack(i, rest);
            }
        }
    }

    private void giveBack(int i, long permits) {
        KeyState state = parts.get(i).state;
        if (state.enter()) { // if it has left, nothing of the booking is remembered
            try {
                giveBacks.get(i).permits(permits);
            } finally {
                state.exit();
            }
        }
    }

    /** Adds a claim that finds its state. */
    void add(KeyState state, Claim claim) {
        degraded |= state.shared();
        for (int i = 0; i < parts.size(); i++) {
            Part other = parts.get(i);
            if (other.state == state) {
                long sum = other.permits + claim.permits();
                List<Claim> claims = new ArrayList<>(other.claims);
                claims.add(claim);
                parts.set(i, new Part(state, claims, sum < 0 ? Long.MAX_VALUE : sum));
                if (!other.first().limits().equals(claim.limits())) {
                    byPolicy(claim, false);
                }
                return;
            }
        }
        parts.add(new Part(state, List.of(claim), claim.permits()));
    }

    /** Adds a claim for which there is no state: it goes uncounted, or refuses the whole booking. */
    void byPolicy(Claim claim, boolean admit) {
        degraded = true;
        if (admit) {
            admittedByPolicy = Deciding.byPolicy(claim, true);
        } else {
            decision = Deciding.byPolicy(claim, false);
        }
    }

    /** Decides, unless a state no longer answers for its key; then all must be looked up anew. */
    boolean decide(MemoryStore store, long reading, long maxWait) {
        if (decision == null && parts.isEmpty()) {
            decision = admittedByPolicy;
        }
        if (decision != null) {
            release();
            return true;
        }
        parts.sort(ORDER);
        return locked(0, store, reading, maxWait);
    }

    /** Lets go of states that were made for this booking, which does not come. */
    void release() {
        for (Part part : parts) {
            if (part.state.enter()) {
                try {
                    part.state.release();
                } finally {
                    part.state.exit();
                }
            }
        }
    }

    private boolean locked(int i, MemoryStore store, long reading, long maxWait) {
        if (i == parts.size()) {
            return decideLocked(store, reading, maxWait);
        }
        Part part = parts.get(i);
        if (!part.state.enter()) {
            store.forget(part.first(), part.state);
            return false;
        }
        try {
            return locked(i + 1, store, reading, maxWait);
        } finally {
            part.state.exit();
        }
    }

    private boolean decideLocked(MemoryStore store, long reading, long maxWait) {
        for (Part part : parts) {
            for (Claim claim : part.claims) {
                if (!store.answers(part.state, claim.limiter(), claim.key(), reading)) {
                    return false;
                }
            }
            if (!store.hasRoomFor(part.state, part.first().limits(), reading)) {
                decision = Deciding.byPolicy(part.first(), false);
                parts.forEach(one -> one.state.release());
                return true;
            }
        }
        long lag = lag(reading);
        long now = reading + lag;
        for (Part part : parts) {
            store.turn(part.state, part.first().limits(), now);
        }
        long wait = earliest(now);
        boolean inTime = wait == 0 || (wait <= maxWait - lag && wait != Algorithm.NEVER);
        if (inTime && canBook(now, wait)) {
            for (Part part : parts) {
                giveBacks.add(part.state.reserve(now, wait, part.permits));
            }
            decision = allowed(now, wait, lag);
        } else {
            decision = denied(now, wait, lag, inTime);
        }
        return true;
    }

    private Decision denied(long now, long earliest, long lag, boolean inTime) {
        boolean remembered = false;
        long retry = inTime ? 0 : earliest;
        for (Part part : parts) {
            remembered |= part.state.denied(now, part.permits);
            if (inTime) {
                retry = Math.max(retry, part.state.retry(now, earliest, part.permits));
            }
        }
        retry = remembered ? earliest(now) : retry;
        Part part = latest(now);
        int latest = part.state.latest(now, part.permits);
        long resetAfter = part.state.resetAfter(latest, now);
        return Deciding.denied(part.state.limit(latest), remaining(now), retry, resetAfter, lag, degraded);
    }

    private Decision allowed(long now, long wait, long lag) {
        Part part = tightest(now);
        int tightest = part.state.tightest(now);
        long resetAfter = part.state.resetAfter(tightest, now);
        return Deciding.allowed(part.state.limit(tightest), remaining(now), wait, resetAfter, lag, degraded);
    }

    /** How far the reading is behind what any of the states has seen. */
    private long lag(long reading) {
        long lag = 0;
        for (Part part : parts) {
            lag = Math.max(lag, part.state.seenAfter(reading));
        }
        return lag;
    }

    private long earliest(long now) {
        long wait = 0;
        while (true) {
            long before = wait;
            for (Part part : parts) {
                wait = part.state.earliest(now, wait, part.permits);
                if (wait == Algorithm.NEVER) {
                    return Algorithm.NEVER;
                }
            }
            if (wait == before) {
                return wait;
            }
        }
    }

    private boolean canBook(long now, long wait) {
        for (Part part : parts) {
            if (!part.state.canBook(now, wait, part.permits)) {
                return false;
            }
        }
        return true;
    }

    private long remaining(long now) {
        long least = Long.MAX_VALUE;
        for (Part part : parts) {
            least = Math.min(least, part.state.remaining(now));
        }
        return least;
    }

    private Part tightest(long now) {
        Part tightest = parts.get(0);
        long least = Long.MAX_VALUE;
        for (Part part : parts) {
            long remaining = part.state.remaining(part.state.tightest(now), now);
            if (remaining < least) {
                tightest = part;
                least = remaining;
            }
        }
        return tightest;
    }

    private Part latest(long now) {
        Part latest = parts.get(0);
        long latestWait = -1;
        for (Part part : parts) {
            long wait = part.state.earliest(now, 0, part.permits);
            if (wait > latestWait) {
                latest = part;
                latestWait = wait;
            }
        }
        return latest;
    }
}
