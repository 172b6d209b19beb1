package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.MemoryStore;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows that the first request begins. */
class FixedWindowTest {
    private final ManualTimeSource clock = new ManualTimeSource();

    /** The window that it opened would overlap one that begins when the present one ends. */
    @Test
    void fixedWindowFirst_anotherKeyForcesALaterStart_isDenied() {
        MemoryStore store = MemoryStore.builder().timeSource(clock).build();
        RateLimiter users = RateLimiter.builder()
                .name("user")
                .limit("fixed-window 2/10s align=first")
                .store(store)
                .build();
        RateLimiter tenants =
                RateLimiter.builder().name("tenant").limit("2/12s").store(store).build();
        tenants.tryAcquire("t", 2);
        users.tryAcquire("key");
        Decision ahead = RateLimiter.reserveAll(Duration.ofHours(1), users.request("key", 2), tenants.request("t", 1))
                .decision();

        assertThat(ahead.allowed()).isFalse();
    }

    /** Refunded windows made room for others between them and later ones: three and four times the limit. */
    @ParameterizedTest
    @ValueSource(strings = {"+A +B +D -A 5 +C -B +E -C 7 +G", "+A +B +D +E -A -B -D 5 +F +H +I -F -H 9 +J +K -J 8 +G"})
    void fixedWindowFirst_refundedWindows_twiceTheLimitAtMost(String steps) {
        RateLimiter limiter = RateLimiter.builder()
                .limit("fixed-window 1/10s align=first")
                .timeSource(clock)
                .build();
        Map<String, Reservation> reserved = new HashMap<>();
        Map<String, Long> granted = new HashMap<>();
        for (String step : steps.split(" ", -1)) {
            String name = step.substring(1);
            if (step.startsWith("+")) {
                Reservation reservation = limiter.reserve("key", 1, Duration.ofMinutes(5));
                reserved.put(name, reservation);
                granted.put(name, clock.nanos() + reservation.decision().waitNanos());
            } else if (step.startsWith("-")) {
                reserved.get(name).cancel();
                granted.remove(name);
            } else {
                clock.advance(Duration.ofSeconds(Long.parseLong(step)));
            }
        }
        long window = Duration.ofSeconds(10).toNanos();
        for (long last : granted.values()) {
            assertThat(granted.values())
                    .filteredOn(at -> at > last - window && at <= last)
                    .hasSizeLessThanOrEqualTo(2);
        }
    }
}
