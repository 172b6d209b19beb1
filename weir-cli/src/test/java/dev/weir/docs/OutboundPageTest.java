package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.FailurePolicy;
import dev.weir.RateLimiter;
import dev.weir.http.OutboundLimiter;
import dev.weir.http.OutboundPermit;
import dev.weir.http.RateLimitedHttpClient;
import dev.weir.http.okhttp.RateLimitInterceptor;
import dev.weir.redis.RedisStore;
import dev.weir.store.Store;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import dev.weir.testkit.ManualTimeSource;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Java snippets of docs/outbound.md: each is a region of this class. */
final class OutboundPageTest {
    private final RateLimiter provider = RateLimiter.builder()
            .limit("100/1s margin=4ms")
            .timeSource(new ManualTimeSource())
            .build();
    private final OutboundLimiter outbound = OutboundLimiter.builder(provider).build();
    private HttpServer server;
    private URI uri;

    private record Answer(int status) {
        List<String> headerValues(String name) {
            return name.equals("Retry-After") ? List.of("30") : List.of();
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/pay");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void httpClient_asOnThePage_sendsNothingWithoutTheStore() {
        String redisHost = "127.0.0.1:1"; // where nothing listens; the policy is closed

        // region
        Store redis = RedisStore.builder("redis://" + redisHost)
                .timeout(Duration.ofSeconds(1))
                .connect();
        RateLimiter provider = RateLimiter.builder()
                .name("psp")
                .limit("100/1s margin=20ms")
                .store(redis)
                .whenStoreFails(FailurePolicy.closed())
                .build();
        OutboundLimiter outbound = OutboundLimiter.builder(provider)
                .maxWait(Duration.ofSeconds(10))
                .build();

        HttpClient client = RateLimitedHttpClient.of(HttpClient.newHttpClient(), outbound);
        // endregion

        assertThat(client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding()))
                .failsWithin(Duration.ofSeconds(30));
    }

    @Test
    void okHttp_asOnThePage_isLimited() throws Exception {
        // region
        OkHttpClient client = new OkHttpClient.Builder()
                .addNetworkInterceptor(new RateLimitInterceptor(outbound))
                .build();
        // endregion

        try (Response response = client.newCall(
                        new Request.Builder().url(uri.toString()).build())
                .execute()) {
            assertThat(response.code()).isEqualTo(204);
        }
        assertThat(provider.peek("localhost").remaining()).isEqualTo(99);
    }

    private static Answer call(URI called) {
        return new Answer(called.getPath().equals("/pay") ? 429 : 200);
    }

    @Test
    void otherClient_asOnThePage_learns() throws Exception {
        // region
        OutboundPermit permit = outbound.acquire(uri);
        Answer answer = call(uri);
        permit.received(answer.status(), answer::headerValues);
        // endregion

        assertThat(provider.peek("localhost").blocked()).isTrue();
    }

    @Test
    void countTwice_asOnThePage_isBuilt() throws Exception {
        // region
        OutboundLimiter outbound = OutboundLimiter.builder(provider)
                .maxWait(Duration.ofSeconds(10))
                .useWithin(Duration.ofMillis(50))
                .countTwiceAfter(Duration.ofMillis(4)) // with "100/1s margin=4ms"
                .build();
        // endregion

        assertThat(outbound.acquire(uri)).isNotNull();
    }

    @Test
    void severalLimits_asOnThePage_areTakenTogetherOnRedis() throws Exception {
        try (RedisServer server = RedisServer.start();
                Store redis = RedisStore.builder(server.uri())
                        .timeout(Duration.ofSeconds(30))
                        .connect()) {
            RateLimiter account = RateLimiter.builder()
                    .name("psp")
                    .limit("100/1m margin=40s") // a permit may be used for half of that, also on a busy machine
                    .store(redis)
                    .whenStoreFails(FailurePolicy.closed())
                    .build();
            RateLimiter refunds = RateLimiter.builder()
                    .name("psp.refunds")
                    .limit("2/1m margin=40s")
                    .store(redis)
                    .whenStoreFails(FailurePolicy.closed())
                    .build();
            Duration maxWait = Duration.ofMinutes(5);

            // region
            OutboundLimiter outbound = OutboundLimiter.builder(account)
                    .and(refunds, uri -> uri.getPath().startsWith("/refunds") ? "all" : null, uri -> 1)
                    .maxWait(maxWait)
                    .build();
            // endregion

            URI refund = uri.resolve("/refunds/1");
            for (int i = 0; i < 2; i++) {
                assertThat(outbound.acquireAsync(refund).get(30, TimeUnit.SECONDS))
                        .isNotNull();
            }
            OutboundPermit payment = outbound.acquireAsync(uri).get(30, TimeUnit.SECONDS);
            CompletableFuture<OutboundPermit> waiting = outbound.acquireAsync(refund);
            Await.until(() -> pending(account, "localhost") == 1);
            assertThat(pending(refunds, "all")).isEqualTo(1);
            assertThat(account.peek("localhost").remaining()).isEqualTo(97);

            waiting.cancel(false);
            Await.until(() -> pending(account, "localhost") == 0 && pending(refunds, "all") == 0);
            payment.received(429, name -> name.equals("Retry-After") ? List.of("30") : List.of());
            Await.until(() -> account.peek("localhost").blocked());
            assertThat(refunds.peek("all").blocked()).isFalse();
        }
    }

    private static int pending(RateLimiter limiter, String key) {
        return limiter.inspect(key).limits().get(0).pending().size();
    }

    @Test
    void latePermits_asOnThePage_areCounted() {
        MeterRegistry registry = new SimpleMeterRegistry();
        // region
        FunctionCounter.builder("weir.outbound.late", outbound, OutboundLimiter::latePermits)
                .tag("limiter", "psp")
                .register(registry);
        // endregion

        assertThat(registry.get("weir.outbound.late").functionCounter().count()).isZero();
    }
}
