package dev.weir;

import static dev.weir.testkit.WeirAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Requests with limits of their own. */
final class RequestLimitsTest {
    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimiter limiter =
            RateLimiter.builder().limit("100/1s").timeSource(time).build();

    private Decision decide(String limit) {
        return RateLimiter.tryAcquireAll(limiter.request("k", 1, Limits.parse(limit)));
    }

    @Test
    void ownLimits_decideInsteadOfTheLimiters() {
        assertThat(decide("1/1s")).isAllowed();

        assertThat(decide("1/1s")).isDenied();
        assertThat(RateLimiter.tryAcquireAll(limiter.request("k", 1))).isAllowed();
    }

    @Test
    void ownLimits_change_stateIsCarriedOver() {
        assertThat(decide("2/1s")).isAllowed();
        assertThat(decide("2/1s")).isAllowed();

        assertThat(decide("3/1s")).isAllowed().hasRemaining(0);
        assertThat(decide("2/1s")).isDenied();
    }

    @Test
    void peekAsync_ownLimits_writesNothing() {
        Request request = limiter.request("k", 1, Limits.parse("1/1s"));

        assertThat(limiter.peekAsync(request).join()).isAllowed();
        assertThat(limiter.peekAsync(request).join()).isAllowed();
        assertThat(decide("1/1s")).isAllowed();
        assertThat(limiter.peekAsync(request).join()).isDenied();
        time.advance(Duration.ofSeconds(2));
        assertThat(limiter.peekAsync(request).join()).isAllowed();
    }

    @Test
    void peekAsync_requestOfAnotherLimiter_isRefused() {
        Request foreign = RateLimiter.of(Limit.parse("1/1s")).request("k", 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.peekAsync(foreign).join());
    }
}
