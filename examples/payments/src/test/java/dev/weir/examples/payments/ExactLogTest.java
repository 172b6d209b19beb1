package dev.weir.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExactLogTest {
    @Test
    void accept_asTheSource() {
        ExactLog log = new ExactLog(2, 1_000);

        assertThat(log.accept(100)).isTrue();
        assertThat(log.accept(400)).isTrue();
        assertThat(log.accept(500)).isFalse();
        assertThat(log.accept(1_099)).isFalse();
        assertThat(log.accept(1_100)).isTrue();
        assertThat(log.accept(1_399)).isFalse();
        assertThat(log.accept(1_400)).isTrue();
    }

    @Test
    void accept_timesBelowZero() {
        ExactLog log = new ExactLog(1, 1_000);

        assertThat(log.accept(-5_000)).isTrue();
        assertThat(log.accept(-4_001)).isFalse();
        assertThat(log.accept(-4_000)).isTrue();
    }
}
