package dev.weir.store;

import dev.weir.Decision;
import java.util.List;

/**
 * A store's answer to a reservation: the decision and, if it is allowed, the means to refund the permits. Thread-safe. The
 * caller ensures that no permit is refunded twice.
 */
public interface StoreReservation {

    /** {@return the decision} */
    Decision decision();

    /**
     * Refunds permits of each request, in one atomic step per key. Has no effect on permits that have expired, or on a key that
     * was reset since.
     *
     * @param permits the number of permits of each request, at least 1
     */
    void refund(long permits);

    /**
     * Refunds all permits that were not refunded before.
     *
     * @param refunded the number of permits of each request that were refunded before
     */
    void cancel(long refunded);

    /**
     * {@return a reservation that consists of others}
     * @param decision the decision
     * @param parts the reservations that are refunded together; none if there is nothing to refund
     */
    static StoreReservation of(Decision decision, List<? extends StoreReservation> parts) {
        record Joint(Decision decision, List<? extends StoreReservation> parts) implements StoreReservation {
            @Override
            public void refund(long permits) {
                parts.forEach(part -> part.refund(permits));
            }

            @Override
            public void cancel(long refunded) {
                parts.forEach(part -> part.cancel(refunded));
            }
        }
        return new Joint(decision, parts);
    }
}
