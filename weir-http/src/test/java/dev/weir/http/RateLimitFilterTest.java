package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import dev.weir.testkit.ManualTimeSource;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RateLimitFilterTest {
    private final ManualTimeSource time = new ManualTimeSource();
    private final MemoryStore store = MemoryStore.builder().timeSource(time).build();
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger served = new AtomicInteger();
    private final List<String> decisions = new CopyOnWriteArrayList<>();
    private @Nullable Container container;

    @AfterEach
    void stop() throws Exception {
        if (container != null) {
            container.stop();
        }
    }

    /** Answers with the path; {@code /broken} throws, and its error page is this servlet again. {@code /async} answers later. */
    private final class Echo extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            served.incrementAndGet();
            if (request.getRequestURI().equals("/broken")) {
                throw new IllegalStateException("expected by a test");
            }
            if (request.getRequestURI().equals("/async") && request.getAttribute("ready") == null) {
                request.setAttribute("ready", true);
                request.startAsync().dispatch();
                return;
            }
            response.setContentType("text/plain");
            response.getWriter().write(request.getRequestURI());
        }
    }

    private RateLimiter limiter(String name, String limit) {
        LimiterListener recorder = new LimiterListener() {
            @Override
            public void decided(String limiter, String key, long permits, Decision decision) {
                decisions.add(limiter + " " + decision.allowed());
            }
        };
        return RateLimiter.builder()
                .name(name)
                .limit(limit)
                .store(store)
                .listener(recorder)
                .build();
    }

    private void start(Container.Kind kind, RateLimitFilter filter) throws Exception {
        start(kind, filter, new Echo(), true);
    }

    private void start(Container.Kind kind, RateLimitFilter filter, Servlet servlet, boolean async) throws Exception {
        container = kind.start(filter, servlet, async);
    }

    private HttpRequest.Builder request(String path) {
        int port = container == null ? 0 : container.port();
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(Duration.ofSeconds(30));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    private static RateLimitFilter.Builder perClient(RateLimiter limiter) {
        return RateLimitFilter.builder().rule(limiter, RateLimitFilter.clientAddress(ClientAddress.ofPeer()));
    }

    @ParameterizedTest
    @EnumSource
    void request_overTheLimit_isAnsweredWith429(Container.Kind kind) throws Exception {
        start(kind, perClient(limiter("api", "2/10s")).build());

        HttpResponse<String> first = get("/a");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("/a");
        assertThat(header(first, "RateLimit-Policy")).isEqualTo("\"api\";q=2;w=10");
        assertThat(header(first, "RateLimit")).isEqualTo("\"api\";r=1;t=10");
        assertThat(get("/b").statusCode()).isEqualTo(200);
        time.advance(Duration.ofMillis(2_500));
        HttpResponse<String> denied = get("/c");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(header(denied, "Retry-After")).isEqualTo("8");
        assertThat(header(denied, "RateLimit")).isEqualTo("\"api\";r=0;t=8");
        assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(denied.body()).contains("\"violated-policies\":[\"api\"]").contains("Retry in 8 seconds.");
        assertThat(served).hasValue(2);
        time.advance(Duration.ofSeconds(8));
        assertThat(get("/d").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void head_denied_hasHeadersAndNoBody(Container.Kind kind) throws Exception {
        start(kind, perClient(limiter("api", "1/10s")).build());
        assertThat(get("/a").statusCode()).isEqualTo(200);

        HttpResponse<String> denied = client.send(
                request("/a").method("HEAD", BodyPublishers.noBody()).build(), BodyHandlers.ofString());

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(header(denied, "Retry-After")).isEqualTo("10");
        assertThat(denied.body()).isEmpty();
        assertThat(get("/a").statusCode()).as("the connection is in order").isEqualTo(429);
    }

    @ParameterizedTest
    @EnumSource
    void errorAndAsyncDispatches_areCountedOnce(Container.Kind kind) throws Exception {
        RateLimiter limiter = limiter("api", "10/10s");
        start(kind, RateLimitFilter.builder().rule(limiter, request -> "all").build());

        assertThat(get("/broken").statusCode()).isEqualTo(500);
        assertThat(get("/async").statusCode()).isEqualTo(200);

        assertThat(served)
                .as("the error page and the async result are dispatched")
                .hasValue(4);
        assertThat(limiter.peek("all").remaining()).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource
    void severalRules_allowAllOrConsumeNothing(Container.Kind kind) throws Exception {
        RateLimiter user = limiter("user", "5/10s");
        RateLimiter path = limiter("path", "1/10s");
        start(
                kind,
                RateLimitFilter.builder()
                        .rule(user, request -> request.getHeader("User"))
                        .rule(path, HttpServletRequest::getRequestURI)
                        .build());

        assertThat(client.send(request("/a").header("User", "ann").build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<String> denied =
                client.send(request("/a").header("User", "ann").build(), BodyHandlers.ofString());

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.body()).contains("\"violated-policies\":[\"path\"]");
        assertThat(user.peek("ann").remaining()).as("a denial consumes nothing").isEqualTo(4);
        assertThat(get("/b").statusCode())
                .as("without a user the first rule does not apply")
                .isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void maxWait_holdsRequestsInOrderWithoutThreads(Container.Kind kind) throws Exception {
        RateLimiter limiter = limiter("api", "1/1s");
        start(
                kind,
                RateLimitFilter.builder()
                        .rule(limiter, request -> "all", ChronoUnit.FOREVER.getDuration()) // saturates
                        .build());
        int held = 300; // more than a container has threads
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i <= held; i++) {
            answers.add(client.sendAsync(request("/" + i).build(), BodyHandlers.ofString()));
        }
        Await.until(() -> time.waiting() == held);
        assertThat(answers).filteredOn(CompletableFuture::isDone).hasSizeLessThanOrEqualTo(1);

        time.advance(Duration.ofSeconds(held));

        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
        assertThat(served).hasValue(held + 1);
    }

    @ParameterizedTest
    @EnumSource
    void maxWait_tooShort_isDeniedAtOnce(Container.Kind kind) throws Exception {
        start(
                kind,
                RateLimitFilter.builder()
                        .rule(limiter("api", "1/10s"), request -> "all", Duration.ofSeconds(5))
                        .build());
        assertThat(get("/a").statusCode()).isEqualTo(200);

        HttpResponse<String> denied = get("/a");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(header(denied, "Retry-After")).isEqualTo("10");
    }

    @ParameterizedTest
    @EnumSource
    void maxWait_ofRules_isTheShortest(Container.Kind kind) throws Exception {
        RateLimiter slow = limiter("slow", "1/10s");
        start(
                kind,
                RateLimitFilter.builder()
                        .rule(limiter("other", "100/10s"), request -> "all")
                        .rule(slow, request -> "all", Duration.ofSeconds(20))
                        .rule(limiter("strict", "100/10s"), request -> request.getHeader("Strict"), Duration.ZERO)
                        .build());
        assertThat(get("/a").statusCode()).isEqualTo(200);

        int strict = client.send(request("/a").header("Strict", "yes").build(), BodyHandlers.discarding())
                .statusCode();
        var held = client.sendAsync(request("/a").build(), BodyHandlers.discarding());
        Await.until(() -> time.waiting() == 1);
        time.advance(Duration.ofSeconds(10));

        assertThat(strict).isEqualTo(429);
        assertThat(held.get().statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void shadowRule_denies_changesNoAnswer(Container.Kind kind) throws Exception {
        RateLimiter live = limiter("live", "2/10s");
        RateLimiter shadow = limiter("shadow", "1/10s");
        start(
                kind,
                RateLimitFilter.builder()
                        .rule(live, request -> "all")
                        .shadowRule(shadow, request -> "all", Duration.ZERO)
                        .build());

        assertThat(get("/a").statusCode()).isEqualTo(200);
        HttpResponse<String> wouldBeDenied = get("/a");

        assertThat(wouldBeDenied.statusCode()).isEqualTo(200);
        assertThat(header(wouldBeDenied, "RateLimit")).isEqualTo("\"live\";r=0;t=10");
        assertThat(live.peek("all").remaining()).isZero();
        assertThat(decisions).containsExactly("live true", "shadow true", "live true", "shadow false");
    }

    @ParameterizedTest
    @EnumSource
    void shadowRule_deniedRequest_isNotCounted(Container.Kind kind) throws Exception {
        RateLimiter shadow = limiter("shadow", "5/10s");
        start(
                kind,
                RateLimitFilter.builder()
                        .rule(limiter("live", "1/10s"), request -> "all")
                        .shadowRule(shadow, request -> "all", Duration.ZERO)
                        .build());
        assertThat(get("/a").statusCode()).isEqualTo(200);

        assertThat(get("/a").statusCode()).isEqualTo(429);

        assertThat(shadow.peek("all").remaining()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void key_isNone_ofARuleIsABadRequest_ofAShadowRuleIsIgnored(Container.Kind kind) throws Exception {
        RateLimiter live = limiter("live", "9/10s");
        start(
                kind,
                RateLimitFilter.builder()
                        .rule(live, request -> request.getHeader("Live"))
                        .shadowRule(limiter("shadow", "9/10s"), request -> request.getHeader("Shadow"), Duration.ZERO)
                        .build());

        for (String none : List.of("", "x".repeat(1_025))) {
            HttpResponse<String> bad =
                    client.send(request("/").header("Live", none).build(), BodyHandlers.ofString());
            assertThat(bad.statusCode()).isEqualTo(400);
            assertThat(header(bad, "Content-Type")).startsWith("application/problem+json");
            assertThat(bad.body()).contains("1 to 1,024 bytes");
            HttpRequest ignored =
                    request("/").header("Live", "a").header("Shadow", none).build();
            assertThat(client.send(ignored, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
        assertThat(decisions).containsExactly("live true", "live true");
        assertThat(served).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    void shadowRule_throws_changesNoAnswer(Container.Kind kind) throws Exception {
        Function<HttpServletRequest, String> broken = request -> {
            throw new IllegalStateException("expected by a test");
        };
        start(
                kind,
                perClient(limiter("live", "9/10s"))
                        .shadowRule(limiter("shadow", "9/10s"), broken, Duration.ZERO)
                        .build());

        try (LogLines log = new LogLines("dev.weir.http")) {
            assertThat(get("/").statusCode()).isEqualTo(200);
            assertThat(get("/").statusCode()).isEqualTo(200);
            assertThat(log.lines()).singleElement().asString().contains("shadow rule of limiter 'shadow' failed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shadowRule_alone_limitsNothing(Container.Kind kind) throws Exception {
        start(
                kind,
                RateLimitFilter.builder()
                        .shadowRule(limiter("shadow", "1/10s"), request -> "all", Duration.ofSeconds(60))
                        .build());
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> response = get("/a");
            assertThat(response.body()).isEqualTo("/a");
            assertThat(response.headers().firstValue("RateLimit")).isEmpty();
        }
        assertThat(decisions).containsExactly("shadow true", "shadow true", "shadow true");
    }

    @ParameterizedTest
    @EnumSource
    void maxWait_withoutAsyncSupport_failsAndConsumesNothing(Container.Kind kind) throws Exception {
        RateLimiter limiter = limiter("api", "1/10s");
        RateLimitFilter filter = RateLimitFilter.builder()
                .rule(limiter, request -> "all", Duration.ofSeconds(20))
                .build();
        start(kind, filter, new Echo(), false);
        assertThat(get("/a").statusCode()).isEqualTo(200);

        assertThat(get("/a").statusCode()).isEqualTo(500);

        assertThat(limiter.inspect("all").limits().get(0).pending()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void forgedHeader_givesNoNewIdentity(Container.Kind kind) throws Exception {
        start(
                kind,
                RateLimitFilter.builder()
                        .rule(
                                limiter("api", "1/10s"),
                                RateLimitFilter.clientAddress(ClientAddress.ofXForwardedFor("127.0.0.0/8", "::1")))
                        .build());
        assertThat(statusBehind("203.0.113.9")).isEqualTo(200);
        assertThat(statusBehind("198.51.100.1, 203.0.113.9")).isEqualTo(429);
        assertThat(statusBehind("198.51.100.2, 203.0.113.9")).isEqualTo(429);
        assertThat(statusBehind("203.0.113.10")).isEqualTo(200); // another client of the same proxy
    }

    private int statusBehind(String chain) throws Exception {
        HttpRequest request = request("/a").header("X-Forwarded-For", chain).build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    @Test
    void builder_withoutRule_throws() {
        assertThatIllegalStateException()
                .isThrownBy(() -> RateLimitFilter.builder().build());
    }
}
