package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OutboundStateTest {
    private static OutboundState state(@Nullable Duration useWithin) {
        return new OutboundState(new OutboundState.Settings(Duration.ZERO, useWithin, null, Duration.ZERO, true));
    }

    private static OutboundKey key(String... limits) {
        return new OutboundKey(
                RateLimiter.builder().limits(Limits.parse(limits)).build(), "key");
    }

    @Test
    void useWithin_default_isHalfOfTheSmallestMargin() {
        OutboundKey without = key("5/1s");
        OutboundKey with = key("10/1s margin=80ms", "99/1m margin=60ms", "gcra 10/1s");
        OutboundKey larger = key("10/1s margin=90ms");

        assertThat(state(null).useWithinNanos(List.of(without))).isEqualTo(100_000_000);
        assertThat(state(null).useWithinNanos(List.of(larger, with, without))).isEqualTo(30_000_000);
        assertThat(state(Duration.ofMillis(5)).useWithinNanos(List.of(with))).isEqualTo(5_000_000);
    }

    @Test
    void clock_moreKeysThanRemembered_startsAgain() {
        OutboundState state = state(null);
        List<OutboundKey> keys = List.of(key("5/1s"));
        StoreClock first = state.clock(keys);
        assertThat(state.clock(List.copyOf(keys))).isSameAs(first);

        for (int i = 0; i < 1_100; i++) {
            assertThat(state.clock(List.of(key("5/1s")))).isNotNull();
        }

        assertThat(state.clock(keys)).isNotSameAs(first);
    }
}
