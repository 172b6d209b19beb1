package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an outbound limiter learns from responses with several quotas, of which one has no reset. */
final class OutboundQuotasTest extends OutboundFixture {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"hour\";r=5                       | 5 | 5",
                "\"hour\";r=5, \"sec\";r=2;t=1       | 2 | 5",
                "\"hour\";r=2, \"sec\";r=5;t=1       | 2 | 2",
                "\"hour\";r=4, \"sec\";r=4;t=1       | 4 | 4",
            })
    void remaining_withoutReset_isHeldForTheLongestWindow(String quotas, long atFirst, long afterASecond) {
        RateLimiter limiter = limiter("100/1m");

        answer(now(outbound(limiter).build()), 200, Map.of("RateLimit", quotas));

        assertThat(limiter.peek(KEY).remaining()).isEqualTo(atFirst);
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(afterASecond);
        time.advance(Duration.ofSeconds(58));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(afterASecond);
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.peek(KEY).remaining()).isEqualTo(100);
    }

    /** A quota without a reset does not hide for how long another one is used up. */
    @ParameterizedTest
    @ValueSource(strings = {"\"a\";r=0, \"b\";r=0;t=40", "\"b\";r=0;t=40, \"a\";r=0"})
    void remainingZero_besideAnotherWithoutReset_blocksUntilTheReset(String quotas) {
        RateLimiter limiter = limiter("10/1s");

        answer(now(outbound(limiter).build()), 429, Map.of("RateLimit", quotas));

        assertThat(limiter.peek(KEY).blocked()).isTrue();
        assertThat(limiter.peek(KEY).retryAfter()).hasSeconds(40);
    }

    @Test
    void remainingZero_ofARefusedCallWithoutReset_doesNotBlock() {
        RateLimiter limiter = limiter("10/1s");

        answer(now(outbound(limiter).build()), 429, Map.of("RateLimit", "\"a\";r=0"));

        assertThat(limiter.peek(KEY).blocked()).isFalse();
        assertThat(limiter.peek(KEY).remaining()).isZero();
    }
}
