package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.http.ClientAddress;
import dev.weir.http.HeaderForm;
import dev.weir.http.RateLimitFilter;
import dev.weir.http.RateLimitResponse;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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

    @Test
    void response_withoutServlets_hasStatusHeadersAndBody() {
        RateLimiter perClient = RateLimiter.builder().name("api").limit("1/1m").build();
        ClientAddress address = ClientAddress.ofXForwardedFor("10.0.0.0/8");
        String peer = "10.0.0.1";
        Function<String, List<String>> headers = name -> List.of("192.0.2.7");
        assertThat(perClient.tryAcquire("192.0.2.7").allowed()).isTrue();
        // region
        Request request = perClient.request(address.find(peer, headers), 1);
        Decision decision = RateLimiter.tryAcquireAll(request); // on an event loop: tryAcquireAllAsync
        RateLimitResponse answer = RateLimitResponse.of(decision, List.of(request));

        int status = answer.status(); // 429 if it is denied
        Map<String, String> fields = answer.headers(EnumSet.of(HeaderForm.RATE_LIMIT)); // of each response
        String body = answer.problem(); // of a denial, as application/problem+json
        // endregion
        assertThat(status).isEqualTo(429);
        assertThat(fields).containsOnlyKeys("Retry-After", "RateLimit-Policy", "RateLimit");
        assertThat(body).contains("\"violated-policies\":[\"api\"]");
    }
}
