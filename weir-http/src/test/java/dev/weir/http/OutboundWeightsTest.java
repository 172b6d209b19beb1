package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.RateLimiter;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Calls that take several permits. */
class OutboundWeightsTest extends OutboundFixture {
    private final RateLimiter limiter = limiter("10/1s margin=50ms");
    private final OutboundLimiter.Builder builder =
            outbound(limiter).permits(uri -> uri.getPath().equals("/pay") ? 4 : 11);

    @Test
    void permits_ofACall_areTakenTogether() throws Exception {
        OutboundLimiter outbound = builder.build();

        assertThat(outbound.acquire(CALL)).isNotNull();
        assertThat(now(outbound).cancel()).isTrue();
        assertThat(now(outbound)).isNotNull();

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(2);
        CompletableFuture<OutboundPermit> third = outbound.acquireAsync(CALL);
        time.advance(Duration.ofMillis(1_049));
        assertThat(third).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThat(third).isCompleted();
    }

    @Test
    void permits_moreThanTheLimit_areDenied() {
        URI search = CALL.resolve("/search");

        assertThatExceptionOfType(OutboundLimitException.class)
                .isThrownBy(() -> builder.build().acquire(search))
                .satisfies(denial -> assertThat(denial.decision().never()).isTrue());
    }

    @Test
    void permits_none_areRefused() {
        OutboundLimiter outbound = builder.permits(uri -> 0).build();

        assertThatIllegalArgumentException().isThrownBy(() -> outbound.acquire(CALL));
    }

    @Test
    void countTwiceAfter_lateResponse_takesThePermitsAgain() {
        OutboundPermit late = now(builder.countTwiceAfter(Duration.ofMillis(50)).build());

        time.advance(Duration.ofMillis(51));
        answer(late, 200, Map.of());

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(2);
    }
}
