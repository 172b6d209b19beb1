package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The refunds that a reservation requests of the server. */
final class RedisReservationTest {
    private static final Limits LIMITS = Limits.parse("10/1h");
    private static final byte[] HANDLE = {1};
    private static final List<Request> REQUESTS =
            List.of(Request.of("limiter", LIMITS, "a", 5), Request.of("limiter", LIMITS, "b", 3));

    private final List<String> refunded = new ArrayList<>();

    private RedisReservation reservation(List<Request> reserved, Decision decision, byte[] resultHandle) {
        RedisReservation.Refunds refunds = (requests, permits, handle, first) -> {
            assertThat(requests).isSameAs(reserved);
            assertThat(handle).isSameAs(HANDLE);
            refunded.add(permits + (first ? " first" : ""));
        };
        return new RedisReservation(refunds, reserved, new Answer(decision, Long.MAX_VALUE, resultHandle, ""));
    }

    @Test
    void refundedInParts_onlyTheFirstIsMarked() {
        RedisReservation reservation =
                reservation(REQUESTS, Decision.allowed(LIMITS.list().get(0), 0, 0, 0, 1), HANDLE);

        reservation.refund(1);
        reservation.refund(1);
        reservation.cancel(2);

        assertThat(refunded).containsExactly("[1, 1] first", "[1, 1]", "[3, 1]");
    }

    @Test
    void cancel_allIsRefunded_sendsNothing() {
        RedisReservation reservation = reservation(
                REQUESTS.subList(0, 1), Decision.allowed(LIMITS.list().get(0), 0, 0, 0, 1), HANDLE);

        reservation.refund(5);
        reservation.cancel(5);

        assertThat(refunded).containsExactly("[5] first");
    }

    @Test
    void deniedOrUnlimited_nothingIsRefunded() {
        Limit unlimited = Limit.unlimited();
        for (Decision decision :
                List.of(Decision.denied(LIMITS.list().get(0), 0, 1, 1, 1), Decision.allowed(unlimited, 0, 0, 0, 1))) {
            RedisReservation reservation = reservation(REQUESTS, decision, Answer.NO_HANDLE);

            reservation.refund(1);
            reservation.cancel(0);
        }

        assertThat(refunded).isEmpty();
    }
}
