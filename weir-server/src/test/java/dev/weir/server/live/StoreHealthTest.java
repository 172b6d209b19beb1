package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.StoreException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The figures of the store in each second. */
final class StoreHealthTest {
    private final StoreException failure = new StoreException("it does not answer");

    @Test
    void sample_hasWhatHappenedSinceTheOneBefore() {
        StoreHealth health = new StoreHealth(true);
        health.decided(health.begin(), false);
        health.decided(health.begin(), true);
        health.decided(health.begin(), true);
        health.storeFailed("api", "a", failure);

        StoreHealth.Second first = health.sample();
        assertThat(first.failures()).isEqualTo(1);
        assertThat(first.localDecisions()).isEqualTo(2);
        assertThat(first.p99Micros()).isBetween(1L, TimeUnit.SECONDS.toMicros(20));
        assertThat(first.reason()).isEqualTo("it does not answer");
        health.storeFailed("api", "a", failure);
        health.storeFailed("api", "a", failure);
        health.decided(health.begin(), true);

        StoreHealth.Second second = health.sample();
        assertThat(second.failures()).isEqualTo(2);
        assertThat(second.localDecisions()).isEqualTo(1);
        assertThat(health.sample()).isEqualTo(new StoreHealth.Second(null, 0, 0, 0, null));
    }

    @Test
    void p99_isInMicroseconds() {
        StoreHealth health = new StoreHealth(true);
        long now = System.nanoTime();
        for (int i = 0; i < 98; i++) {
            health.decided(now, false);
        }
        health.decided(now - TimeUnit.SECONDS.toNanos(20), false);
        health.decided(now - TimeUnit.MINUTES.toNanos(5), false);

        assertThat(health.sample().p99Micros()).isBetween(20_000_000L, 30_000_000L);
        health.decided(now - TimeUnit.MINUTES.toNanos(5), false);
        assertThat(health.sample().p99Micros()).as("a minute at most").isBetween(60_000_000L, 61_000_000L);
    }

    @Test
    void storeInThisProcess_hasNoTimes() {
        StoreHealth health = new StoreHealth(false);

        health.decided(health.begin(), false);

        assertThat(health.sample().p99Micros()).isNull();
    }

    @Test
    void outage_beginsWithTheFirstSecond_andEnds() {
        StoreHealth health = new StoreHealth(true);
        assertThat(health.sample().outageSeconds()).isZero();

        health.storeDown(failure);
        assertThat(health.sample().outageSeconds()).isBetween(1L, 20L);
        assertThat(health.sample().reason()).isEqualTo("it does not answer");
        health.storeUp();
        assertThat(health.sample()).isEqualTo(new StoreHealth.Second(null, 0, 0, 0, null));
    }

    @Test
    void reason_thatIsLong_isCut() {
        StoreHealth health = new StoreHealth(true);
        health.storeFailed("api", "a", new StoreException("x".repeat(1_000)));

        assertThat(health.sample().reason()).isEqualTo("x".repeat(300) + "…");
    }
}
