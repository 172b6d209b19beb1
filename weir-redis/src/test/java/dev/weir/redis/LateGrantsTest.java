package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Grants whose requests have timed out are refunded in few scripts. */
final class LateGrantsTest {
    private static final Limits LIMITS = Limits.parse("10/1h");

    private final List<List<Long>> refunded = new ArrayList<>();
    private final LateGrants late = new LateGrants((requests, permits, handle, first) -> {
        assertThat(first).isTrue();
        refunded.add(permits);
    });

    private static List<Request> requests(long... permits) {
        List<Request> requests = new ArrayList<>();
        for (long each : permits) {
            requests.add(Request.of("limiter", LIMITS, "key " + requests.size(), each));
        }
        return requests;
    }

    private static Answer granted(byte[] handle) {
        return new Answer(Decision.allowed(LIMITS.list().get(0), 0, 0, 0, 1), Long.MAX_VALUE, handle, "");
    }

    @Test
    void grantedTogether_areRefundedTogether() {
        byte[] handle = {1};
        late.add(requests(2, 3), granted(handle));
        late.add(requests(2, 3), granted(handle));
        late.refund();
        assertThat(refunded).containsExactly(List.of(4L, 6L));
    }

    @Test
    void grantedSeparately_areRefundedSeparately() {
        for (int i = 1; i <= 3; i++) {
            late.add(requests(i), granted(new byte[] {1}));
        }
        late.refund();
        assertThat(refunded).containsExactly(List.of(1L), List.of(2L), List.of(3L));
    }

    @Test
    void denied_isNotRefunded() {
        late.add(requests(1), new Answer(Decision.denied(LIMITS.list().get(0), 0, 0, 0, 0), 0, new byte[0], ""));
        late.refund();
        assertThat(refunded).isEmpty();
    }

    /** All answers without a handle share one, so they must not be merged. */
    @Test
    void unlimited_isNotRefunded() {
        byte[] none = {};
        late.add(requests(1), granted(none));
        late.add(requests(1, 1), granted(none));
        late.refund();
        assertThat(refunded).isEmpty();
    }
}
