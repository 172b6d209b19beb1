package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.Algorithm.GiveBack;
import dev.weir.internal.Decisions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reservation for one or more keys, all or nothing, at one instant. Their states are locked together, in an order that all
 * reservations keep; a refund locks one after the other.
 */
final class JointReservation implements StoreReservation {
    /** The order in which states are locked: own states by name, then overflow states by position. */
    private static final Comparator<Part> ORDER = Comparator.<Part>comparingInt(part -> part.state.slot())
            .thenComparing(part -> part.first().limiter())
            .thenComparing(part -> part.state.shared() ? "" : part.first().key());

    private final List<Request> requests;
    private final List<@Nullable KeyState> states = new ArrayList<>(); // of each request; null: not counted
    private final List<Part> parts = new ArrayList<>();
    private final List<GiveBack> giveBacks = new ArrayList<>();
    private boolean degraded;
    private @Nullable Decision allowedUncounted;
    private @Nullable Decision decision;

    /** One state's share of the reservation. There is more than one request where keys share a state. */
    private record Part(KeyState state, List<Request> requests, long permits) {
        Request first() {
            return requests.get(0);
        }

        Limits limits() {
            return first().limits();
        }
    }

    JointReservation(List<Request> requests) {
        this.requests = requests;
    }

    @Override
    public Decision decision() {
        return Objects.requireNonNull(decision, "decided before it is handed out");
    }

    @Override
    public void refund(long permits) {
        for (int i = 0; i < giveBacks.size(); i++) {
            refund(i, permits * parts.get(i).requests.size());
        }
    }

    @Override
    public void cancel(long refunded) {
        for (int i = 0; i < giveBacks.size(); i++) {
            long rest = parts.get(i).permits - refunded * parts.get(i).requests.size();
            if (rest > 0) {
                refund(i, rest);
            }
        }
    }

    private void refund(int i, long permits) {
        KeyState state = parts.get(i).state;
        if (state.enter()) { // a retired state remembers nothing
            try {
                giveBacks.get(i).permits(permits);
            } finally {
                state.unlock();
            }
        }
    }

    /** Adds a request that finds its state. */
    void add(KeyState state, Request request, long reading) {
        degraded |= state.shared();
        states.add(state);
        for (int i = 0; i < parts.size(); i++) {
            Part other = parts.get(i);
            if (other.state == state) {
                long sum = other.permits + request.permits();
                List<Request> together = new ArrayList<>(other.requests);
                together.add(request);
                parts.set(i, new Part(state, together, sum < 0 ? Long.MAX_VALUE : sum));
                if (!other.limits().equals(request.limits())) {
                    addUncounted(false, reading);
                }
                return;
            }
        }
        parts.add(new Part(state, List.of(request), request.permits()));
    }

    /** Adds a request for which there is no state: it is not counted, or denies all. */
    void addUncounted(boolean allow, long reading) {
        Decision uncounted = Decisions.uncounted(requests, allow, reading);
        if (allow) {
            states.add(null);
            allowedUncounted = uncounted;
            degraded = true;
        } else {
            decision = uncounted;
        }
    }

    /** Decides all; false if a state no longer answers for its key, so that the states must be looked up again. */
    boolean decide(MemoryStore store, long reading, long maxWait) {
        if (decision == null && parts.isEmpty()) {
            decision = allowedUncounted;
        }
        if (decision != null) {
            release();
            return true;
        }
        parts.sort(ORDER);
        return locked(0, store, reading, maxWait);
    }

    /** Releases states that were made for this reservation, which will not be decided. */
    void release() {
        for (Part part : parts) {
            if (part.state.enter()) {
                try {
                    part.state.release();
                } finally {
                    part.state.unlock();
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
            part.state.unlock();
        }
    }

    private boolean decideLocked(MemoryStore store, long reading, long maxWait) {
        for (Part part : parts) {
            for (Request request : part.requests) {
                if (!store.answers(part.state, request.limiter(), request.key(), reading)) {
                    return false;
                }
            }
            if (!store.hasRoomFor(part.state, part.limits(), reading)) {
                decision = Decisions.uncounted(requests, false, reading);
                parts.forEach(one -> one.state.release());
                return true;
            }
        }
        long lag = lag(reading);
        long now = reading + lag;
        for (Part part : parts) {
            store.prepare(part.state, part.limits(), now);
        }
        long wait = earliest(now);
        boolean inTime = wait == 0 || (wait <= maxWait - lag && wait != Algorithm.NEVER);
        if (inTime && canBook(now, wait)) {
            for (Part part : parts) {
                giveBacks.add(part.state.reserve(now, wait, part.permits));
            }
            decision = completed(allowed(reading, wait, lag), reading, lag);
        } else {
            decision = completed(denied(reading, wait, lag, inTime), reading, lag);
        }
        return true;
    }

    private Decision denied(long reading, long earliest, long lag, boolean inTime) {
        long now = reading + lag;
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
        Decision denied = Deciding.denied(part.state.limit(latest), remaining(now), retry, resetAfter, reading, lag);
        return parts.stream().anyMatch(one -> one.state.blockedFor(now) > 0) ? denied.asBlocked() : denied;
    }

    private Decision allowed(long reading, long wait, long lag) {
        long now = reading + lag;
        Part part = tightest(now);
        int tightest = part.state.tightest(now);
        long resetAfter = part.state.resetAfter(tightest, now);
        return Deciding.allowed(part.state.limit(tightest), remaining(now), wait, resetAfter, reading, lag);
    }

    /** Adds the statuses, if there is more than one limit. */
    private Decision completed(Decision decided, long reading, long lag) {
        Decision completed = degraded ? decided.asDegraded() : decided;
        if (requests.size() == 1 && requests.get(0).limits().list().size() == 1) {
            return completed;
        }
        List<Status> statuses = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            KeyState state = states.get(i);
            long permits = requests.get(i).permits();
            if (state != null) {
                Deciding.addStatuses(statuses, i, state, decided.allowed(), reading + lag, lag, permits);
            } else {
                for (Limit limit : requests.get(i).limits().list()) {
                    statuses.add(Status.of(i, limit, 0, 0, 0));
                }
            }
        }
        return completed.withStatuses(statuses);
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
