package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.http.ClientAddress;
import dev.weir.http.RateLimitFilter;
import jakarta.servlet.Filter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The Java snippets of docs/http.md: each is a region of this class. */
final class HttpPageTest {
    @Test
    void filter_asOnThePage_isBuilt() {
        // region
        RateLimiter perClient = RateLimiter.of(Limit.slidingLog(100, Duration.ofMinutes(1)));
        ClientAddress address = ClientAddress.ofXForwardedFor("10.0.0.0/8"); // the addresses of our proxies

        Filter limit = RateLimitFilter.builder()
                .rule(perClient, RateLimitFilter.clientAddress(address))
                .build();
        // endregion
        assertThat(limit).isNotNull();
    }
}
