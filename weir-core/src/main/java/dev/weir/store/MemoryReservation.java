package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Request;
import dev.weir.algorithm.Refund;
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
    private static final Comparator<KeyState> ORDER =
            Comparator.<KeyState, String>comparing(state -> state.limiter).thenComparing(state -> state.key);

    private final List<Request> requests;
    private final List<KeyState> states; // of the requests
    private final List<List<Refund>> refunds; // of the requests
    private @Nullable Decision decision;

    MemoryReservation(List<Request> requests, List<KeyState> states) {
        this.requests = requests;
        this.states = states;
        this.refunds = new ArrayList<>(requests.size());
        requests.forEach(request -> refunds.add(new ArrayList<>(1)));
    }

    @Override
    public Decision decision() {
        return Objects.requireNonNull(decision, "decided before it is returned");
    }

    @Override
    public void refund(long permits) {
        for (int i = 0; i < states.size(); i++) {
            refund(i, permits);
        }
    }

    @Override
    public void cancel(long refunded) {
        for (int i = 0; i < states.size(); i++) {
            long rest = requests.get(i).permits() - refunded;
            if (rest > 0) {
                refund(i, rest);
            }
        }
    }

    private void refund(int request, long permits) {
        states.get(request).change(state -> refunds.get(request).forEach(refund -> refund.refund(permits)));
    }

    /** Decides all. Returns false if a state is retired, so that the states must be looked up again. */
    boolean decide(KeyDirectory keys, CompiledLimits.Cache compiled, long reading, long maxWait) {
        List<KeyState> ordered = new ArrayList<>(states);
        ordered.sort(ORDER);
        int locked = 0;
        try {
            for (KeyState state : ordered) {
                if (!keys.enter(state)) {
                    return false;
                }
                locked++;
            }
            decision = decideLocked(compiled, reading, maxWait);
            return true;
        } finally {
            for (int i = 0; i < locked; i++) {
                ordered.get(i).unlock();
            }
        }
    }

    private Decision decideLocked(CompiledLimits.Cache compiled, long reading, long maxWait) {
        long now = reading;
        for (KeyState state : states) {
            now = state.timeAt(now);
        }
        Decider decider = new Decider(reading, now);
        for (int i = 0; i < states.size(); i++) {
            Request request = requests.get(i);
            LimitMigration.prepare(states.get(i), compiled.of(request.limits()), now);
            decider.add(i, states.get(i), request.permits());
        }
        decider.decide(maxWait, refunds);
        return decider.decision();
    }
}
