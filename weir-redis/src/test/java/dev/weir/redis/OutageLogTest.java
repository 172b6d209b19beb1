package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.StoreException;
import dev.weir.testing.LogLines;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The log of a server that fails repeatedly. */
final class OutageLogTest {
    private final StoreException failure = new StoreException("Redis does not answer");

    private long now = Long.MAX_VALUE - 5; // overflows during the test
    private final OutageLog log = new OutageLog(() -> now);

    private void pass(Duration duration) {
        now += duration.toNanos();
    }

    /** Fails and recovers for the given time, every 400 ms. */
    private void flap(Duration duration) {
        for (long end = now + duration.toNanos(); now - end < 0; pass(Duration.ofMillis(200))) {
            log.storeDown(failure);
            pass(Duration.ofMillis(200));
            log.storeUp();
        }
    }

    @Test
    void flaps_pausesDouble_toAMinute() {
        try (LogLines logged = new LogLines("dev.weir.redis")) {
            flap(Duration.ofMinutes(1));
            assertThat(logged.lines())
                    .extracting(line -> line.substring(0, line.indexOf(" ")))
                    .startsWith("WARNING", "INFO")
                    .hasSize(2 * 6); // after 0, 1, 3, 7, 15 and 31 s
            logged.lines().clear();

            flap(Duration.ofMinutes(10));
            assertThat(logged.lines()).hasSizeBetween(2 * 9, 2 * 11);
        }
    }

    @Test
    void minuteWithoutFailure_nextOnesAreLoggedAtOnce() {
        flap(Duration.ofMinutes(10));
        pass(Duration.ofMinutes(2));
        try (LogLines logged = new LogLines("dev.weir.redis")) {
            log.storeDown(failure);
            log.storeUp();
            pass(Duration.ofSeconds(1));
            log.storeDown(failure);
            assertThat(logged.lines())
                    .extracting(line -> line.substring(0, line.indexOf(" ")))
                    .containsExactly("WARNING", "INFO", "WARNING");
        }
    }

    @Test
    void failureLasts_isLoggedOnceWhenDue() {
        flap(Duration.ofMinutes(10));
        try (LogLines logged = new LogLines("dev.weir.redis")) {
            for (int i = 0; i < 240; i++) { // as often as probes fail
                log.storeDown(failure);
                pass(Duration.ofMillis(500));
            }
            assertThat(logged.lines()).hasSize(1);
            log.storeUp();
            assertThat(logged.lines()).hasSize(2);
        }
    }
}
