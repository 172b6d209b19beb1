package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;

/** How long failures count, and what their time and reason are. */
class StoreHealthIndicatorTest {
    private static final Instant START = Instant.parse("2026-11-29T22:00:00Z");

    private Instant now = START;
    private final StoreHealthIndicator indicator = new StoreHealthIndicator(WeirProperties.StoreKind.REDIS, () -> now);

    private void fail(String reason) {
        indicator.storeFailed("api", "key", new StoreException(reason));
    }

    private String status() {
        return health().getStatus().getCode();
    }

    private Health health() {
        return indicator.health();
    }

    @Test
    void limiterFails_degradedForTenSeconds() {
        assertThat(status()).isEqualTo("UP");

        fail("Redis refused: OOM");
        now = START.plusSeconds(9);
        fail("Redis refused: MISCONF");

        now = START.plusSeconds(18);
        assertThat(health().getDetails())
                .containsEntry("since", START)
                .containsEntry("reason", "Redis refused: MISCONF");
        assertThat(status()).isEqualTo("DEGRADED");
        now = START.plusSeconds(19);
        assertThat(status()).isEqualTo("UP");
    }

    @Test
    void storeDown_degradedUntilItIsUp_reasonIsTheLatest() {
        indicator.storeDown(new StoreException("lost"));
        now = START.plus(Duration.ofHours(1));
        assertThat(status()).isEqualTo("DEGRADED");
        fail("lost; still unavailable: NOAUTH");
        assertThat(health().getDetails())
                .containsEntry("since", START)
                .containsEntry("reason", "lost; still unavailable: NOAUTH");

        indicator.storeUp();
        assertThat(status()).isEqualTo("UP");
    }
}
