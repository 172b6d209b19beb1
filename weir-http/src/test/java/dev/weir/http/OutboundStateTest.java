package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.RateLimiter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OutboundStateTest {
    private static OutboundState state(@Nullable Duration useWithin, String... limits) {
        return new OutboundState(
                RateLimiter.builder().limits(Limits.parse(limits)).build(),
                new OutboundState.Settings(Duration.ZERO, useWithin, null, Duration.ZERO, true));
    }

    @Test
    void useWithin_default_isHalfOfTheSmallestMargin() {
        String[] limits = {"10/1s margin=80ms", "99/1m margin=60ms", "gcra 10/1s"};

        assertThat(state(null, limits).useWithinNanos("key")).isEqualTo(30_000_000);
        assertThat(state(null, "5/1s").useWithinNanos("key")).isEqualTo(100_000_000);
        assertThat(state(Duration.ofMillis(5), limits).useWithinNanos("key")).isEqualTo(5_000_000);
    }

    @Test
    void clock_moreKeysThanRemembered_startsAgain() {
        OutboundState state = state(null, "5/1s");
        StoreClock first = state.clock("first");
        assertThat(state.clock("first")).isSameAs(first);

        for (int i = 0; i < 1_100; i++) {
            assertThat(state.clock("key " + i)).isNotNull();
        }

        assertThat(state.clock("first")).isNotSameAs(first);
    }
}
