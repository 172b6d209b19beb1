package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.algorithm.Refund;
import dev.weir.internal.Decisions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reservation for one or more keys in memory, all or nothing. The states are locked together, in an order that all reservations
 * keep; a refund locks one after the other.
 */
final class MemoryReservation implements StoreReservation {
    /** The order in which states are locked: own states by name, then overflow states by slot. */
    private static final Comparator<Part> ORDER = Comparator.<Part>comparingInt(part -> part.state.slot())
            .thenComparing(part -> part.state.limiter)
            .thenComparing(part -> part.state.key);

    private final List<Request> requests;
    private final List<Part> parts = new ArrayList<>();
    private final List<@Nullable Part> partOfRequest = new ArrayList<>(); // null: not counted
    private boolean degraded;
    private @Nullable Decision decision;

    /** One state's share of the reservation. It has several requests if their keys share the state. */
    private static final class Part {
        final KeyState state;
        final List<Request> requests = new ArrayList<>(1);
        final List<Refund> refunds = new ArrayList<>(1);
        long permits;
        int firstClaim;

        Part(KeyState state) {
            this.state = state;
        }

        Limits limits() {
            return requests.get(0).limits();
        }
    }

    MemoryReservation(List<Request> requests) {
        this.requests = requests;
    }

    @Override
    public Decision decision() {
        return Objects.requireNonNull(decision, "decided before it is returned");
    }

    @Override
    public void refund(long permits) {
        for (Part part : parts) {
            refund(part, permits * part.requests.size());
        }
    }

    @Override
    public void cancel(long refunded) {
        for (Part part : parts) {
            long rest = part.permits - refunded * part.requests.size();
            if (rest > 0) {
                refund(part, rest);
            }
        }
    }

    private static void refund(Part part, long permits) {
        part.state.change(state -> part.refunds.forEach(refund -> refund.refund(permits)));
    }

    /** Adds the next request, with the state that decides for its key. */
    void add(KeyState state, Request request, long reading) {
        degraded |= state.isShared();
        Part part = partOf(state);
        if (!part.requests.isEmpty() && !part.limits().equals(request.limits())) {
            decision = Decisions.uncounted(requests, false, reading);
        }
        partOfRequest.add(part);
        part.requests.add(request);
        part.permits = part.permits + request.permits() < 0 ? Long.MAX_VALUE : part.permits + request.permits();
    }

    private Part partOf(KeyState state) {
        for (Part part : parts) {
            if (part.state == state) {
                return part;
            }
        }
        Part added = new Part(state);
        parts.add(added);
        return added;
    }

    /** Adds a request for which there is no state: it is not counted, or all are denied. */
    void addUncounted(boolean allow, long reading) {
        partOfRequest.add(null);
        degraded = true;
        if (!allow) {
            decision = Decisions.uncounted(requests, false, reading);
        }
    }

    /** Decides all. Returns false if a state no longer decides for its key, so that the states must be looked up again. */
    boolean decide(KeyDirectory keys, CompiledLimits.Cache compiled, long reading, long maxWait) {
        if (decision == null && parts.isEmpty()) {
            decision = Decisions.uncounted(requests, true, reading);
        }
        if (decision != null) {
            return true;
        }
        List<Part> ordered = new ArrayList<>(parts);
        ordered.sort(ORDER);
        int locked = 0;
        try {
            for (Part part : ordered) {
                if (!keys.enter(part.state, part.requests, reading)) {
                    return false;
                }
                locked++;
            }
            decision = decideLocked(compiled, reading, maxWait);
            return true;
        } finally {
            for (int i = 0; i < locked; i++) {
                ordered.get(i).state.unlock();
            }
        }
    }

    private Decision decideLocked(CompiledLimits.Cache compiled, long reading, long maxWait) {
        long now = reading;
        for (Part part : parts) {
            now = part.state.timeAt(now);
        }
        Decider decider = new Decider(reading, now);
        for (Part part : parts) {
            if (!LimitMigration.tryPrepare(part.state, compiled.of(part.limits()), now)) {
                return Decisions.uncounted(requests, false, reading);
            }
            part.firstClaim = decider.add(part.state, part.permits);
        }
        List<Refund> refunds = new ArrayList<>();
        if (decider.decide(maxWait, refunds)) {
            for (Part part : parts) {
                part.refunds.addAll(refunds.subList(part.firstClaim, part.firstClaim + part.state.size()));
            }
        }
        Decision decided = decider.decision(statuses(decider));
        return degraded ? decided.asDegraded() : decided;
    }

    /** Returns the status of each limit if there are several. */
    private List<Status> statuses(Decider decider) {
        if (requests.size() == 1 && requests.get(0).limits().list().size() == 1) {
            return List.of();
        }
        List<Status> statuses = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            Part part = partOfRequest.get(i);
            if (part != null) {
                decider.addStatuses(statuses, i, part.firstClaim, part.state.size());
            } else {
                for (Limit limit : request.limits().list()) {
                    statuses.add(new Status(i, limit, 0, 0, 0));
                }
            }
        }
        return statuses;
    }
}
