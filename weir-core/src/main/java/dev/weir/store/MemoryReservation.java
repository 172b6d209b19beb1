package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A reservation for one or more keys in memory, all or nothing. The states are locked together, in an order that all reservations
 * keep; a refund locks one after the other.
 *
 * @param states of the requests
 * @param refunds of the requests
 */
record MemoryReservation(
        Decision decision, List<Request> requests, List<KeyState> states, List<List<LongConsumer>> refunds)
        implements StoreReservation {
    private static final Comparator<KeyState> ORDER =
            Comparator.<KeyState, String>comparing(state -> state.limiter).thenComparing(state -> state.key);

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
        states.get(request).change(state -> refunds.get(request).forEach(refund -> refund.accept(permits)));
    }

    /** Decides all. Returns null if a state is retired, so that the states must be looked up again. */
    static @Nullable MemoryReservation decide(
            List<Request> requests,
            List<KeyState> states,
            List<CompiledLimits> limits,
            KeyDirectory keys,
            long reading,
            long maxWait) {
        List<KeyState> ordered = new ArrayList<>(states);
        ordered.sort(ORDER);
        int locked = 0;
        try {
            for (KeyState state : ordered) {
                if (!keys.enter(state)) {
                    return null;
                }
                locked++;
            }
            return decideLocked(requests, states, limits, reading, maxWait);
        } finally {
            for (int i = 0; i < locked; i++) {
                ordered.get(i).unlock();
            }
        }
    }

    private static MemoryReservation decideLocked(
            List<Request> requests, List<KeyState> states, List<CompiledLimits> limits, long reading, long maxWait) {
        long now = reading;
        for (KeyState state : states) {
            now = state.timeAt(now);
        }
        Decider decider = new Decider(reading, now);
        List<List<LongConsumer>> refunds = new ArrayList<>(states.size());
        for (int i = 0; i < states.size(); i++) {
            LimitMigration.prepare(states.get(i), limits.get(i), now);
            decider.add(i, states.get(i), requests.get(i).permits());
            refunds.add(new ArrayList<>(1));
        }
        return new MemoryReservation(decider.decide(maxWait, refunds), requests, states, refunds);
    }
}
