package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Grants that nobody waits for any more are refunded with few scripts, one after the other. */
final class LateGrantsTest {
    private static final Limits LIMITS = Limits.parse("10/1h");

    private final List<List<Long>> refunded = new ArrayList<>();
    private final List<CompletableFuture<Void>> replies = new ArrayList<>();
    private final LateGrants late = new LateGrants((requests, permits, handle, first) -> {
        assertThat(first).isTrue();
        refunded.add(permits);
        replies.add(new CompletableFuture<>());
        return replies.get(replies.size() - 1);
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
    void grantedApart_areRefundedOneAfterTheOther_whateverFails() {
        for (int i = 1; i <= 3; i++) {
            late.add(requests(i), granted(new byte[] {1}));
        }
        late.refund();
        assertThat(refunded).containsExactly(List.of(1L));
        replies.get(0).complete(null);
        assertThat(refunded).containsExactly(List.of(1L), List.of(2L));
        replies.get(1).completeExceptionally(new StoreException("lost"));
        assertThat(refunded).containsExactly(List.of(1L), List.of(2L), List.of(3L));
    }

    @Test
    void manyRefundsThatFailAtOnce_doNotRecurse() {
        LateGrants failing = new LateGrants((requests, permits, handle, first) -> {
            refunded.add(permits);
            return CompletableFuture.failedFuture(new StoreException("not connected"));
        });
        for (int i = 0; i < 100_000; i++) {
            failing.add(requests(1), granted(new byte[] {1}));
        }
        failing.refund();
        assertThat(refunded).hasSize(100_000);
    }

    @Test
    void denied_isNotRefunded() {
        late.add(requests(1), new Answer(Decision.denied(LIMITS.list().get(0), 0, 0, 0, 0), 0, new byte[0], ""));
        late.refund();
        assertThat(refunded).isEmpty();
    }
}
