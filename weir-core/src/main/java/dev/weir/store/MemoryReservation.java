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
 */
record MemoryReservation(Decision decision, List<Part> parts) implements StoreReservation {
    private static final Comparator<Part> ORDER =
            Comparator.<Part, String>comparing(part -> part.state.limiter).thenComparing(part -> part.state.key);

    /**
     * One request, and the state of its key.
     *
     * @param refunds the means to refund it, one for each limit, once it is granted
     */
    record Part(Request request, CompiledLimits limits, KeyState state, List<LongConsumer> refunds) {
        void refund(long permits) {
            if (permits > 0) {
                state.change(locked -> refunds.forEach(refund -> refund.accept(permits)));
            }
        }
    }

    @Override
    public void refund(long permits) {
        for (Part part : parts) {
            part.refund(permits);
        }
    }

    @Override
    public void cancel(long refunded) {
        for (Part part : parts) {
            part.refund(part.request.permits() - refunded);
        }
    }

    /** Decides all. Returns null if a state is retired, so that the states must be looked up again. */
    static @Nullable MemoryReservation decide(List<Part> parts, KeyDirectory keys, long reading, long maxWait) {
        List<Part> ordered = new ArrayList<>(parts);
        ordered.sort(ORDER);
        int locked = 0;
        try {
            for (Part part : ordered) {
                if (!keys.enter(part.state)) {
                    return null;
                }
                locked++;
            }
            return decideLocked(parts, reading, maxWait);
        } finally {
            for (int i = 0; i < locked; i++) {
                ordered.get(i).state.unlock();
            }
        }
    }

    private static MemoryReservation decideLocked(List<Part> parts, long reading, long maxWait) {
        long now = reading;
        for (Part part : parts) {
            now = part.state.timeAt(now);
        }
        Decider decider = new Decider(reading, now);
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            LimitMigration.prepare(part.state, part.limits, now);
            decider.add(i, part.state, part.request.permits(), part.refunds);
        }
        return new MemoryReservation(decider.decide(maxWait), parts);
    }
}
