package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.http.OutboundLimitException;
import dev.weir.http.OutboundLimiter;
import dev.weir.http.RateLimitedHttpClient;
import dev.weir.spring.client.RateLimitExchangeFilter;
import dev.weir.spring.client.RateLimitRequestInterceptor;
import dev.weir.testkit.ManualTimeSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Controllers whose calls to a provider are denied: what the clients of the application receive. */
class OutboundDenialTest {
    private static final String PROVIDER = "http://provider.invalid/pay"; // no call is sent

    /** Returns a limiter that denies every call to the provider for an hour. */
    private static OutboundLimiter exhausted() {
        RateLimiter provider = RateLimiter.builder()
                .name("psp")
                .timeSource(new ManualTimeSource())
                .limit("1/1h")
                .build();
        provider.block("provider.invalid", Duration.ofHours(1));
        return OutboundLimiter.builder(provider).build();
    }

    @RestController
    static class Payments {
        private final RestClient client = RestClient.builder()
                .requestInterceptor(new RateLimitRequestInterceptor(exhausted()))
                .build();

        @GetMapping("/pay")
        String pay() {
            return String.valueOf(client.get().uri(PROVIDER).retrieve().body(String.class));
        }
    }

    /** Uses the client of the JDK itself, and as the transport of Spring's. */
    @RestController
    static class JdkPayments {
        private final HttpClient client = RateLimitedHttpClient.of(HttpClient.newHttpClient(), exhausted());
        private final RestClient rest = RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory(client))
                .build();

        @GetMapping("/jdk")
        String pay() throws IOException, InterruptedException {
            return client.send(HttpRequest.newBuilder(URI.create(PROVIDER)).build(), BodyHandlers.ofString())
                    .body();
        }

        @GetMapping("/rest")
        String payByRest() {
            return String.valueOf(rest.get().uri(PROVIDER).retrieve().body(String.class));
        }
    }

    @RestController
    static class OwnAnswer {
        private final Payments payments;

        OwnAnswer(Payments payments) {
            this.payments = payments;
        }

        @GetMapping("/own")
        String pay() {
            return payments.pay();
        }

        @ExceptionHandler
        ResponseEntity<String> denied(OutboundLimitException denial) {
            return ResponseEntity.status(502).body("own answer");
        }
    }

    @RestController
    static class ReactivePayments {
        private final WebClient client = WebClient.builder()
                .filter(new RateLimitExchangeFilter(exhausted()))
                .build();

        @GetMapping("/pay")
        Mono<String> pay() {
            return client.get().uri(PROVIDER).retrieve().bodyToMono(String.class);
        }
    }

    /** Uses the client of the JDK as the transport of a reactive one. */
    @RestController
    static class ReactiveJdkPayments {
        private final WebClient client = WebClient.builder()
                .clientConnector(
                        new JdkClientHttpConnector(RateLimitedHttpClient.of(HttpClient.newHttpClient(), exhausted())))
                .build();

        @GetMapping("/jdk")
        Mono<String> pay() {
            return client.get().uri(PROVIDER).retrieve().bodyToMono(String.class);
        }
    }

    private static void assertUnavailable(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).hasValue("3600");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.body())
                .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503}");
        assertThat(response.headers().map())
                .doesNotContainKeys("ratelimit", "ratelimit-policy", "RateLimit", "RateLimit-Policy");
    }

    @Test
    void mvc_limitOfAProvider_is503WithoutItsPolicy() throws Exception {
        try (RunningApplication application =
                RunningApplication.start("", Payments.class, JdkPayments.class, OwnAnswer.class)) {
            assertUnavailable(application.get("/pay"));
            assertUnavailable(application.get("/jdk"));
            assertUnavailable(application.get("/rest"));

            HttpResponse<String> own = application.get("/own");
            assertThat(Map.of(own.statusCode(), own.body())).isEqualTo(Map.of(502, "own answer"));
        }
    }

    @Test
    void webFlux_limitOfAProvider_is503WithoutItsPolicy() throws Exception {
        try (RunningApplication application =
                RunningApplication.startReactive("", ReactivePayments.class, ReactiveJdkPayments.class)) {
            assertUnavailable(application.get("/pay"));
            assertUnavailable(application.get("/jdk"));
        }
    }
}
