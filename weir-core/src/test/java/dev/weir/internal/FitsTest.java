package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import org.junit.jupiter.api.Test;

final class FitsTest {
    @Test
    void of_limit_endsWithTheMostThatItGrantsAtOnce() {
        assertThat(Fits.of(Limit.parse("100/1m"))).containsExactly(1, 10, 50, 100);
        assertThat(Fits.of(Limit.parse("3/1m"))).containsExactly(1, 3);
        assertThat(Fits.of(Limit.parse("token-bucket 30/1m burst=200"))).containsExactly(1, 20, 100, 200);
        assertThat(Fits.of(Limit.parse("gcra 60/1m"))).containsExactly(1);
        assertThat(Fits.of(Limit.parse("leaky-bucket 60/1m capacity=10"))).containsExactly(1, 5, 10);
    }
}
