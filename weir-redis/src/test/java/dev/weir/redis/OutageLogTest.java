package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.StoreException;
import java.time.Duration;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** The log of a server that fails again and again. */
final class OutageLogTest {
    private final StoreException failure = new StoreException("Redis does not answer");

    private long now = Long.MAX_VALUE - 5; // it overflows
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
        try (LogLines lines = new LogLines()) {
            flap(Duration.ofMinutes(1));
            assertThat(lines.entries)
                    .extracting(line -> line.getLevel())
                    .startsWith(Level.WARNING, Level.INFO)
                    .hasSize(2 * 6); // after 0, 1, 3, 7, 15 and 31 s
            lines.entries.clear();

            flap(Duration.ofMinutes(10));
            assertThat(lines.entries).hasSizeBetween(2 * 9, 2 * 11);
        }
    }

    @Test
    void minuteWithoutFailure_nextOnesAreLoggedAtOnce() {
        flap(Duration.ofMinutes(10));
        pass(Duration.ofMinutes(2));
        try (LogLines lines = new LogLines()) {
            log.storeDown(failure);
            log.storeUp();
            pass(Duration.ofSeconds(1));
            log.storeDown(failure);
            assertThat(lines.entries)
                    .extracting(line -> line.getLevel())
                    .containsExactly(Level.WARNING, Level.INFO, Level.WARNING);
        }
    }

    @Test
    void failureLasts_isLoggedOnceWhenDue() {
        flap(Duration.ofMinutes(10));
        try (LogLines lines = new LogLines()) {
            for (int i = 0; i < 240; i++) { // as often as probes fail
                log.storeDown(failure);
                pass(Duration.ofMillis(500));
            }
            assertThat(lines.entries).hasSize(1);
            log.storeUp();
            assertThat(lines.entries).hasSize(2);
        }
    }
}
