package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.LimiterListener;
import dev.weir.RateLimiter;
import dev.weir.testing.Await;
import dev.weir.testkit.ManualTimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The rules and annotated methods of a WebFlux application on Reactor Netty: one application, and one limiter for each test. */
class WebFluxTest {
    private static RunningApplication application;
    private static ManualTimeSource time;

    @Configuration(proxyBeanMethods = false)
    static class Decisions {
        final ConcurrentLinkedQueue<String> denied = new ConcurrentLinkedQueue<>();

        @Bean
        LimiterListener denials() {
            return new LimiterListener() {
                @Override
                public void decided(String limiter, String key, long permits, Decision decision) {
                    if (!decision.allowed()) {
                        denied.add(limiter);
                    }
                }
            };
        }
    }

    @RestController
    static class Endpoints {
        @GetMapping("/**")
        Mono<String> get() {
            return Mono.just("got");
        }

        @PostMapping("/**")
        Mono<String> post() {
            return Mono.just("posted");
        }
    }

    @RestController
    static class Futures {
        private final Annotated annotated;

        Futures(Annotated annotated) {
            this.annotated = annotated;
        }

        @GetMapping("/future/{user}")
        Mono<String> future(@PathVariable String user) {
            CompletableFuture<String> started = annotated.future(user);
            return Mono.fromCallable(started::get);
        }
    }

    @RestController
    static class Annotated {
        private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

        List<String> calls() {
            return List.copyOf(calls);
        }

        @GetMapping("/mono/{user}")
        @RateLimited(value = "annotated", key = "#user")
        Mono<String> mono(@PathVariable String user) {
            calls.add(user);
            return Mono.just(user);
        }

        @RateLimited(value = "annotated", key = "#user")
        CompletableFuture<String> future(String user) {
            return CompletableFuture.completedFuture(user);
        }

        @GetMapping("/flux/{user}")
        @RateLimited(value = "annotated", key = "#user", maxWait = "1m")
        Flux<String> flux(@PathVariable String user) {
            calls.add(user);
            return Flux.just(user, user);
        }
    }

    @BeforeAll
    static void start() {
        application =
                RunningApplication.startReactive("""
                weir:
                  client-address: {header: x-forwarded-for, trusted-proxies: 127.0.0.0/8}
                  limits:
                    path: {limit: [1/1m, 10/1d], path: /path/*, key: global}
                    method: {limit: 1/1m, path: /method, method: get, key: global}
                    user: {limit: 1/1m, path: /user, key: user}
                    ip: {limit: 1/1m, path: /ip}
                    spel: {limit: 1/1m, path: /spel, key: "request.queryParams.getFirst('tenant')"}
                    claim: {limit: 1/1m, path: /claim, key: "'claim ' + principal.principal.username"}
                    several-2: {limit: 2/1m, path: /several, key: global}
                    several-1: {limit: 1/1m, path: /several, key: "header:X-Api-Key"}
                    shadow: {limit: 1/1m, path: /shadow, key: global, shadow: true}
                    held: {limit: 1/1m, path: /held, key: global, max-wait: 1m}
                    left: {limit: 1/1m, path: /left, key: global, max-wait: 10m}
                    annotated: {limit: 1/1m}
                """, Decisions.class, Endpoints.class, Annotated.class, Futures.class);
        time = application.bean(ManualTimeSource.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static RateLimiter limiter(String name) {
        return application.bean(RateLimiters.class).get(name);
    }

    @Test
    void denied_hasHeadersAndProblemDetails() throws Exception {
        HttpResponse<String> allowed = application.get("/path/a");
        assertThat(allowed.body()).isEqualTo("got");
        assertThat(allowed.headers().firstValue("RateLimit-Policy"))
                .hasValue("\"path-0\";q=1;w=60, \"path-1\";q=10;w=86400");

        HttpResponse<String> denied = application.get("/path/b");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("60");
        assertThat(denied.headers().firstValue("RateLimit").orElseThrow()).startsWith("\"path-0\";r=0;t=60, ");
        assertThat(denied.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(denied.body()).contains("\"status\":429", "\"violated-policies\":[\"path-0\"]");
        assertThat(application.bean(MeterRegistry.class).getMeters())
                .anyMatch(meter -> meter.getId().getName().endsWith(".weir.denied")); // an event of its observation
        assertThat(application.status("/path/b/c")).isEqualTo(200);
    }

    @Test
    void head_isLimitedAsGetAndHasNoBody() throws Exception {
        HttpRequest.Builder head = application.request("/method").method("HEAD", BodyPublishers.noBody());
        assertThat(application.status("/method")).isEqualTo(200);

        HttpResponse<String> denied = application.send(head);

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.body()).isEmpty();
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("60");
        assertThat(application.status(application.request("/method").POST(BodyPublishers.noBody())))
                .isEqualTo(200);
    }

    @Test
    void user_isTheAuthenticatedOne_andOthersCountByAddress() throws Exception {
        assertThat(application.status(application.as("ann", "/user"))).isEqualTo(200);
        assertThat(application.status(application.as("ann", "/user"))).isEqualTo(429);

        assertThat(application.status("/user")).isEqualTo(200);
        assertThat(limiter("user").peek("ip:127.0.0.1").remaining()).isZero();
        assertThat(limiter("user").peek("anonymousUser").remaining()).isEqualTo(1);
    }

    @Test
    void keyExpression_principal_isWhoIsAuthenticated() throws Exception {
        assertThat(application.status(application.as("ann", "/claim"))).isEqualTo(200);
        assertThat(limiter("claim").peek("claim ann").remaining()).isZero();

        assertThat(application.status("/claim")).isEqualTo(200);
        assertThat(limiter("claim").peek("ip:127.0.0.1").remaining()).isZero();
    }

    @Test
    void ip_forgedInXForwardedFor_isIgnored() throws Exception {
        HttpRequest.Builder client = application.request("/ip").header("X-Forwarded-For", "198.51.100.7");
        HttpRequest.Builder forged = application.request("/ip").header("X-Forwarded-For", "203.0.113.9, 198.51.100.7");
        assertThat(application.status(client)).isEqualTo(200);
        assertThat(application.status(forged)).isEqualTo(429);
    }

    @Test
    void key_expression_readsTheRequestOfTheServer() throws Exception {
        assertThat(application.status("/spel?tenant=acme")).isEqualTo(200);
        assertThat(application.status("/spel?tenant=other")).isEqualTo(200);
        assertThat(application.status("/spel?tenant=acme")).isEqualTo(429);
    }

    @Test
    void severalRules_oneDenies_consumeNothing() throws Exception {
        HttpRequest.Builder first = application.request("/several").header("X-Api-Key", "first");
        HttpRequest.Builder second = application.request("/several").header("X-Api-Key", "second");
        assertThat(application.status(first)).isEqualTo(200);
        assertThat(application.status(first)).isEqualTo(429);
        assertThat(limiter("several-2").peek("global").remaining()).isEqualTo(1);

        HttpResponse<String> allowed = application.send(second);

        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(allowed.headers().firstValue("RateLimit-Policy"))
                .hasValue("\"several-2\";q=2;w=60, \"several-1\";q=1;w=60");
    }

    @Test
    void shadow_decidesAndCountsAndNeverDenies() throws Exception {
        assertThat(application.status("/shadow")).isEqualTo(200);
        HttpResponse<String> second = application.get("/shadow");

        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.headers().firstValue("RateLimit")).isEmpty();
        assertThat(application.bean(Decisions.class).denied).contains("shadow");
    }

    @Test
    void maxWait_holdsTheRequest_andDeniesAtOnceIfItIsTooLong() throws Exception {
        assertThat(application.status("/held")).isEqualTo(200);
        CompletableFuture<HttpResponse<String>> held = application.sendAsync(application.request("/held"));
        Await.until("held", () -> time.waiting() == 1);

        HttpResponse<String> tooLate = application.get("/held");
        assertThat(tooLate.statusCode()).isEqualTo(429);
        assertThat(held).isNotDone();

        time.advance(Duration.ofMinutes(1));
        assertThat(held.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @Test
    void disconnect_whileHeld_cancelsTheReservation() throws Exception {
        assertThat(application.status("/left")).isEqualTo(200);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), application.port())) {
            OutputStream out = socket.getOutputStream();
            out.write("GET /left HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            Await.until("held", () -> time.waiting() == 1);
        }

        Await.until("cancelled", () -> pending("left") == 0);
    }

    private static int pending(String limiter) {
        KeySnapshot snapshot = limiter(limiter).inspect("global");
        return snapshot.limits().get(0).pending().size();
    }

    @Test
    void annotatedMono_denied_isAnsweredWithHeadersAndProblemDetails() throws Exception {
        assertThat(application.get("/mono/ada").body()).isEqualTo("ada");

        HttpResponse<String> denied = application.get("/mono/ada");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("60");
        assertThat(denied.headers().firstValue("RateLimit-Policy")).hasValue("\"annotated\";q=1;w=60");
        assertThat(denied.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(denied.body()).contains("\"violated-policies\":[\"annotated\"]");
    }

    @Test
    void annotatedFuture_deniedAndReadByAHandler_isAnswered() throws Exception {
        assertThat(application.get("/future/joan").body()).isEqualTo("joan");

        assertThat(application.status("/future/joan")).isEqualTo(429);
    }

    @Test
    void annotatedFlux_thatWouldWaitTooLong_isDenied() throws Exception {
        assertThat(application.get("/flux/eve").body()).isEqualTo("eveeve");
        assertThat(limiter("annotated")
                        .reserve("eve", Duration.ofHours(1))
                        .decision()
                        .allowed())
                .isTrue();

        assertThat(application.status("/flux/eve")).isEqualTo(429);

        List<String> calls = application.bean(Annotated.class).calls();
        assertThat(calls.stream().filter("eve"::equals)).hasSize(1);
    }
}
