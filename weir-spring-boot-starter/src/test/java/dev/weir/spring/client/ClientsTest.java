package dev.weir.spring.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.weir.KeySnapshot;
import dev.weir.RateLimitedException;
import dev.weir.RateLimiter;
import dev.weir.http.OutboundLimiter;
import dev.weir.testing.Await;
import dev.weir.testkit.ManualTimeSource;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/** Spring's clients over real sockets. */
class ClientsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimiter limiter =
            RateLimiter.builder().timeSource(time).limit("2/10s").build();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile int status = 200;
    private HttpServer server;
    private URI uri;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            calls.incrementAndGet();
            if (status != 200) {
                exchange.getResponseHeaders().add("Retry-After", "120");
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/pay");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private OutboundLimiter outbound(Duration maxWait) {
        return OutboundLimiter.builder(limiter).maxWait(maxWait).build();
    }

    private RestClient restClient(Duration maxWait) {
        return RestClient.builder()
                .requestInterceptor(new RateLimitRequestInterceptor(outbound(maxWait)))
                .defaultStatusHandler(HttpStatusCode::isError, (request, response) -> {})
                .build();
    }

    private Mono<Integer> exchange(Duration maxWait) {
        return WebClient.builder()
                .filter(new RateLimitExchangeFilter(outbound(maxWait)))
                .build()
                .get()
                .uri(uri)
                .exchangeToMono(response ->
                        response.releaseBody().thenReturn(response.statusCode().value()));
    }

    private int status(RestClient client) {
        return client.get()
                .uri(uri)
                .retrieve()
                .toBodilessEntity()
                .getStatusCode()
                .value();
    }

    private long pending() {
        return limiter.inspect("localhost").limits().get(0).pending().stream()
                .mapToLong(KeySnapshot.Run::permits)
                .sum();
    }

    @Test
    void response_statusCannotBeRead_isClosed() {
        AtomicBoolean closed = new AtomicBoolean();
        ClientHttpResponse broken = (ClientHttpResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ClientHttpResponse.class}, (proxy, method, arguments) -> {
                    closed.compareAndSet(false, method.getName().equals("close"));
                    if (method.getName().equals("getStatusCode")) {
                        throw new IOException("reset");
                    }
                    return null;
                });
        RateLimitRequestInterceptor interceptor = new RateLimitRequestInterceptor(outbound(Duration.ZERO));
        MockClientHttpRequest request = new MockClientHttpRequest(HttpMethod.GET, uri);

        assertThatThrownBy(() -> interceptor.intercept(request, new byte[0], (sent, body) -> broken))
                .hasMessage("reset");
        assertThat(closed).isTrue();
    }

    @Test
    void clients_severalLimits_takePermitsOfEach() {
        OutboundLimiter both = OutboundLimiter.builder(limiter)
                .and(limiter, called -> "endpoint", called -> 1)
                .build();
        RestClient rest = RestClient.builder()
                .requestInterceptor(new RateLimitRequestInterceptor(both))
                .build();
        WebClient web =
                WebClient.builder().filter(new RateLimitExchangeFilter(both)).build();

        assertThat(status(rest)).isEqualTo(200);
        assertThat(limiter.peek("endpoint").remaining()).isEqualTo(1);
        web.get().uri(uri).retrieve().toBodilessEntity().block(TIMEOUT);

        assertThat(limiter.peek("endpoint").remaining()).isZero();
        assertThat(limiter.peek("localhost").remaining()).isZero();
    }

    @Test
    void restClient_overTheLimit_failsAtOnce() {
        RestClient client = restClient(Duration.ofSeconds(9));
        assertThat(status(client)).isEqualTo(200);
        assertThat(status(client)).isEqualTo(200);

        assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> status(client));

        assertThat(calls).hasValue(2);
    }

    @Test
    void restClient_withMaxWait_waits() throws Exception {
        RestClient client = restClient(Duration.ofSeconds(10));
        status(client);
        status(client);
        CompletableFuture<Integer> third = CompletableFuture.supplyAsync(() -> status(client));
        Await.until(() -> time.waiting() == 1);

        time.advance(Duration.ofSeconds(10));

        assertThat(third.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
    }

    @Test
    void restClient_429_blocksTheKey() {
        status = 429;

        assertThat(status(restClient(Duration.ZERO))).isEqualTo(429);

        assertThat(limiter.peek("localhost").retryAfter()).hasSeconds(120);
    }

    @Test
    void webClient_overTheLimit_failsAtOnce() {
        Mono<Integer> exchange = exchange(Duration.ofSeconds(9));
        assertThat(exchange.block(TIMEOUT)).isEqualTo(200);
        assertThat(exchange.block(TIMEOUT)).isEqualTo(200);

        assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> exchange.block(TIMEOUT));

        assertThat(calls).hasValue(2);
    }

    @Test
    void webClient_withMaxWait_waitsWithoutAThread() throws Exception {
        Mono<Integer> exchange = exchange(Duration.ofSeconds(10));
        exchange.block(TIMEOUT);
        exchange.block(TIMEOUT);
        CompletableFuture<Integer> third = exchange.toFuture();
        Await.until(() -> time.waiting() == 1);

        time.advance(Duration.ofSeconds(10));

        assertThat(third.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
    }

    @Test
    void webClient_cancelled_cancelsTheReservation() throws Exception {
        Mono<Integer> exchange = exchange(Duration.ofMinutes(10));
        exchange.block(TIMEOUT);
        exchange.block(TIMEOUT);
        Disposable third = exchange.subscribe();
        Await.until(() -> time.waiting() == 1);

        third.dispose();

        Await.until(() -> time.waiting() == 0);
        assertThat(pending()).isZero();
        assertThat(calls).hasValue(2);
    }

    @Test
    void webClient_cancelledInTheInstantOfTheGrant_releasesItsPermit() {
        BaseSubscriber<ClientResponse> subscriber = new BaseSubscriber<>() {};
        OutboundLimiter cancelling = OutboundLimiter.builder(limiter)
                .key(called -> {
                    subscriber.cancel();
                    return "localhost";
                })
                .build();
        Mono<ClientResponse> exchange = new RateLimitExchangeFilter(cancelling)
                .filter(ClientRequest.create(HttpMethod.GET, uri).build(), request -> {
                    calls.incrementAndGet();
                    return Mono.never();
                });

        Mono.just(uri).hide().flatMap(called -> exchange).subscribe(subscriber);

        assertThat(calls).hasValue(0);
        assertThat(limiter.peek("localhost").remaining()).isEqualTo(2);
    }

    @Test
    void webClient_withARequestThatCannotBeSent_releasesItsPermit() {
        WebClient client = WebClient.builder()
                .clientConnector(new JdkClientHttpConnector())
                .filter(new RateLimitExchangeFilter(outbound(Duration.ZERO)))
                .build();

        assertThatThrownBy(() -> client.get()
                        .uri("ftp://localhost")
                        .retrieve()
                        .toBodilessEntity()
                        .block(TIMEOUT))
                .hasMessageContaining("ftp");

        assertThat(limiter.peek("localhost").remaining()).isEqualTo(2);
    }

    @Test
    void webClient_503_blocksTheKey() {
        status = 503;

        assertThat(exchange(Duration.ZERO).block(TIMEOUT)).isEqualTo(503);

        assertThat(limiter.peek("localhost").blocked()).isTrue();
    }
}
