package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.StoreException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;

/** How long failures count, and what their time and reason are. */
class StoreHealthIndicatorTest {
    private long seconds;
    private final StoreHealthIndicator indicator =
            new StoreHealthIndicator(WeirProperties.StoreKind.REDIS, () -> TimeUnit.SECONDS.toNanos(seconds));

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
        Object since = health().getDetails().get("since");
        seconds = 9;
        fail("Redis refused: MISCONF");

        seconds = 18;
        assertThat(health().getDetails())
                .containsEntry("since", since)
                .containsEntry("reason", "Redis refused: MISCONF");
        assertThat(status()).isEqualTo("DEGRADED");
        seconds = 19;
        assertThat(status()).isEqualTo("UP");
    }

    @Test
    void storeDown_degradedUntilItIsUp_reasonIsTheLatest() {
        indicator.storeDown(new StoreException("lost"));
        Object since = health().getDetails().get("since");
        seconds = 3_600;
        assertThat(status()).isEqualTo("DEGRADED");
        fail("lost; still unavailable: NOAUTH");
        assertThat(health().getDetails())
                .containsEntry("since", since)
                .containsEntry("reason", "lost; still unavailable: NOAUTH");

        indicator.storeUp();
        assertThat(status()).isEqualTo("UP");
    }
}
