package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StoreClockTest {
    private static final long MS = Duration.ofMillis(1).toNanos();

    private final StoreClock clock = new StoreClock();

    /** A decision on a store whose clock is ahead by some time; the request takes as long as the reply. */
    private long ahead(long now, long ahead, long wayMillis) {
        return clock.ahead(now, now + 2 * wayMillis * MS, now + wayMillis * MS + ahead);
    }

    @Test
    void ahead_fastestRequestOfTheLatestSecondsCounts() {
        assertThat(ahead(0, 500, 30)).isEqualTo(30 * MS + 500);
        assertThat(ahead(100 * MS, 500, 1)).isEqualTo(MS + 500);
        assertThat(ahead(200 * MS, 500, 3_000)).as("a pause").isEqualTo(MS + 500);
        assertThat(ahead(9_000 * MS, 500, 30)).isEqualTo(MS + 500);
    }

    @Test
    void ahead_oldDecisions_areForgotten() {
        ahead(0, 0, 1);

        assertThat(ahead(5_100 * MS, 0, 30)).isEqualTo(MS);
        assertThat(ahead(10_200 * MS, 0, 40)).isEqualTo(30 * MS);
        assertThat(ahead(60_000 * MS, 0, 50)).isEqualTo(50 * MS);
    }

    @Test
    void ahead_storeSetForward_startsAgain() {
        ahead(0, 0, 1);

        assertThat(ahead(100 * MS, 5_000 * MS, 2)).isEqualTo(5_002 * MS);
        assertThat(ahead(200 * MS, 5_000 * MS, 1)).isEqualTo(5_001 * MS);
    }

    @Test
    void ahead_storeSetBack_followsAtOnce() {
        ahead(0, 5_000 * MS, 1);

        assertThat(ahead(100 * MS, -5_000 * MS, 2)).isEqualTo(-4_998 * MS);
    }

    @Test
    void ahead_randomWays_isNeverLessThanTheDifference() {
        Random random = new Random(1);
        long now = -3_000 * MS;
        for (int i = 0; i < 100_000; i++) {
            now += random.nextInt(20) * MS;
            long request = random.nextInt(10) * MS;
            long reply = random.nextInt(10) * MS;
            long difference = 77 * MS;

            assertThat(clock.ahead(now, now + request + reply, now + request + difference))
                    .isBetween(difference, difference + request);
        }
    }
}
