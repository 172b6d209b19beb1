package dev.weir.spring.docs;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.RateLimiter;
import dev.weir.http.OutboundLimitException;
import dev.weir.http.OutboundLimiter;
import dev.weir.spring.client.RateLimitExchangeFilter;
import dev.weir.spring.client.RateLimitRequestInterceptor;
import dev.weir.testkit.ManualTimeSource;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** The snippet of docs/outbound.md on Spring's clients: a region of this class. */
class SpringClientsPageTest {
    private static final URI URI_OF_PROVIDER = URI.create("http://provider.invalid/pay"); // no call is sent

    @Test
    void clients_asOnThePage_areLimited() {
        RateLimiter provider = RateLimiter.builder()
                .timeSource(new ManualTimeSource())
                .limit("100/1s")
                .build();
        provider.block("provider.invalid", Duration.ofMinutes(1));
        OutboundLimiter outbound = OutboundLimiter.builder(provider).build();

        // region
        RestClient restClient = RestClient.builder()
                .requestInterceptor(new RateLimitRequestInterceptor(outbound)) // the last interceptor
                .build();

        WebClient webClient = WebClient.builder()
                .filter(new RateLimitExchangeFilter(outbound)) // the last filter
                .build();
        // endregion

        assertThatExceptionOfType(OutboundLimitException.class)
                .isThrownBy(
                        () -> restClient.get().uri(URI_OF_PROVIDER).retrieve().toBodilessEntity());
        assertThatExceptionOfType(OutboundLimitException.class)
                .isThrownBy(() -> webClient
                        .get()
                        .uri(URI_OF_PROVIDER)
                        .retrieve()
                        .toBodilessEntity()
                        .block());
    }
}
