package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreReservation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** If a log has more reservations that waited than it keeps, it rounds them to the end of their tick. */
final class RoundedReservationsTest {
    private static final long SECOND = 1_000_000; // in microseconds, like all times here
    private static final long AHEAD = StoreAtTime.START + SECOND * 12 / 10;

    private final Limits limits = Limits.parse("10000/1s resolution=1s");

    private Request request(long permits) {
        return Request.of("test", limits, "key", permits);
    }

    /** Reserves permits at a given time, until which the key is blocked. */
    private void reserveAt(StoreAtTime at, long time, long permits) {
        var unused = at.store.blockAsync(request(1), (time - at.now()) * 1_000);
        StoreReservation reservation = at.store.reserve(List.of(request(permits)), SECOND * 10_000);
        assertThat(reservation.decision().waitNanos()).isEqualTo((time - at.now()) * 1_000);
    }

    private long fitsAt(StoreAtTime at, long permits) {
        return at.now() + at.store.peekAsync(request(permits)).join().retryAfterNanos() / 1_000;
    }

    @Test
    void rounded_beforeAPendingReservation_countInItsWindow() {
        try (StoreAtTime at = StoreAtTime.start()) {
            for (int tenth = 1; tenth <= 3; tenth++) {
                long time = StoreAtTime.START + tenth * SECOND / 10;
                for (int i = 0; i < 1_000; i++) {
                    reserveAt(at, time + i, 1);
                }
                if (tenth == 3) {
                    reserveAt(at, AHEAD, 2_000);
                }
                at.set(time + 1_000);
            }
            Blocking.unblock(at.store, request(1));
            for (int i = 0; i < 50; i++) {
                at.store.decide("test", limits, "key", 1); // moves some that are due to the past
            }

            // The window that ends at the pending reservation contains it and two thirds of the others.
            assertThat(fitsAt(at, 5_900)).isEqualTo(at.now());
            assertThat(fitsAt(at, 6_100)).isGreaterThan(AHEAD);
        }
    }
}
