package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.RateLimiter;
import dev.weir.testing.LogLines;
import java.lang.System.Logger.Level;
import org.junit.jupiter.api.Test;

/** The listener of docs/metrics.md that logs denials: a region of this class. */
final class LogPageTest {
    @Test
    void listener_asOnThePage_logsWhoIsDenied() {
        System.Logger log = System.getLogger("denials");
        // region
        LimiterListener denials = new LimiterListener() {
            @Override
            public void decided(String limiter, String key, long permits, Decision decision) {
                if (!decision.allowed()) {
                    log.log(Level.INFO, "{0} denied {1} by {2}", limiter, key, decision.limit());
                }
            }
        };
        // endregion
        RateLimiter api = RateLimiter.builder()
                .name("api")
                .limit("1/1m")
                .listener(denials)
                .build();
        try (LogLines logged = new LogLines("denials")) {
            assertThat(api.tryAcquire("alice").allowed()).isTrue();
            assertThat(api.tryAcquire("alice").allowed()).isFalse();

            assertThat(logged.lines()).containsExactly("INFO api denied alice by sliding-log 1/1m");
        }
    }
}
