package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.KeySnapshot;
import dev.weir.RateLimiter;
import dev.weir.testing.Await;
import dev.weir.testkit.ManualTimeSource;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.Authenticator;
import java.net.CookieManager;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over real sockets. */
class RateLimitedHttpClientTest {
    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimiter limiter =
            RateLimiter.builder().timeSource(time).limit("2/10s").build();
    private final HttpClient plain = HttpClient.newHttpClient();
    private Provider provider;

    @BeforeEach
    void start() throws Exception {
        provider = new Provider();
    }

    @AfterEach
    void stop() {
        provider.close();
    }

    private HttpClient client(Duration maxWait) {
        return RateLimitedHttpClient.of(
                plain, OutboundLimiter.builder(limiter).maxWait(maxWait).build());
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(provider.uri(path))
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    private long pending() {
        return limiter.inspect("localhost").limits().get(0).pending().stream()
                .mapToLong(KeySnapshot.Run::permits)
                .sum();
    }

    @Test
    void send_severalLimits_takesPermitsOfEach() throws Exception {
        HttpClient client = RateLimitedHttpClient.of(
                plain,
                OutboundLimiter.builder(limiter)
                        .and(limiter, uri -> "endpoint", uri -> 2)
                        .build());

        assertThat(client.send(request("/pay"), BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
        assertThat(client.sendAsync(request("/pay"), BodyHandlers.ofString())).failsWithin(Duration.ofSeconds(30));

        assertThat(limiter.peek("localhost").remaining()).isEqualTo(1);
        assertThat(limiter.peek("endpoint").remaining()).isZero();
    }

    @Test
    void send_overTheLimit_failsAtOnceAndSendsNothing() throws Exception {
        HttpClient client = client(Duration.ofSeconds(9));
        for (int i = 0; i < 2; i++) {
            assertThat(client.send(request("/pay"), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }

        assertThatExceptionOfType(RateLimitedIOException.class)
                .isThrownBy(() -> client.send(request("/pay"), BodyHandlers.ofString()))
                .withMessageContaining("retry after PT10S")
                .satisfies(denial -> assertThat(denial.decision().retryAfter()).hasSeconds(10));

        assertThat(provider.paths()).hasSize(2);
    }

    @Test
    void send_withMaxWait_waits() throws Exception {
        HttpClient client = client(Duration.ofSeconds(10));
        for (int i = 0; i < 2; i++) {
            client.send(request("/pay"), BodyHandlers.ofString());
        }
        CompletableFuture<HttpResponse<String>> third = CompletableFuture.supplyAsync(() -> {
            try {
                return client.send(request("/third"), BodyHandlers.ofString());
            } catch (IOException | InterruptedException failure) {
                throw new AssertionError(failure);
            }
        });
        Await.until(() -> time.waiting() == 1);
        assertThat(provider.paths()).hasSize(2);

        time.advance(Duration.ofSeconds(10));

        assertThat(third.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(provider.paths()).last().isEqualTo("/third");
    }

    @Test
    void send_interrupted_cancelsTheReservation() throws Exception {
        HttpClient client = client(Duration.ofMinutes(10));
        for (int i = 0; i < 2; i++) {
            client.send(request("/pay"), BodyHandlers.ofString());
        }
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                client.send(request("/pay"), BodyHandlers.ofString());
            } catch (IOException | InterruptedException failure) {
                thrown.set(failure);
            }
        });
        caller.start();
        Await.until(() -> time.waiting() == 1);

        caller.interrupt();
        caller.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(pending()).isZero();
    }

    @Test
    void sendAsync_cancelled_cancelsItsReservation() throws Exception {
        HttpClient client = client(Duration.ofMinutes(10));
        for (int i = 0; i < 2; i++) {
            client.sendAsync(request("/pay"), BodyHandlers.ofString()).get();
        }
        CompletableFuture<HttpResponse<String>> third = client.sendAsync(request("/third"), BodyHandlers.ofString());
        CompletableFuture<HttpResponse<String>> fourth = client.sendAsync(request("/fourth"), BodyHandlers.ofString());
        assertThat(pending()).isEqualTo(2);

        third.cancel(true);

        assertThat(pending()).isEqualTo(1);
        time.advance(Duration.ofSeconds(10));
        assertThat(fourth.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(provider.paths()).doesNotContain("/third");
    }

    @Test
    void sendAsync_cancelledAfterItsPermit_cancelsTheRequest() {
        limiter.tryAcquire("localhost", 2);
        RateLimiter other = RateLimiter.builder().limit("9/1s").build();
        HttpClient client = RateLimitedHttpClient.of( // the request waits in the client that sends it
                client(Duration.ofMinutes(10)), OutboundLimiter.builder(other).build());
        CompletableFuture<HttpResponse<String>> waiting = client.sendAsync(request("/pay"), BodyHandlers.ofString());
        assertThat(pending()).isEqualTo(1);

        waiting.cancel(true);

        assertThat(pending()).isZero();
    }

    @Test
    void sendAsync_completedByItsCaller_cancelsItsReservation() throws Exception {
        HttpClient client = client(Duration.ofMinutes(10));
        for (int i = 0; i < 2; i++) {
            client.sendAsync(request("/pay"), BodyHandlers.ofString()).get();
        }
        CompletableFuture<HttpResponse<String>> waiting = client.sendAsync(request("/third"), BodyHandlers.ofString());
        HttpResponse<String> substitute = plain.send(request("/cached"), BodyHandlers.ofString());
        assertThat(pending()).isEqualTo(1);

        waiting.complete(substitute);

        assertThat(pending()).isZero();
        assertThat(waiting.get()).isSameAs(substitute);
    }

    @Test
    void sendAsync_bodyIsReadLater_isNotCancelled() throws Exception {
        HttpResponse<InputStream> response = client(Duration.ZERO)
                .sendAsync(request("/pay"), BodyHandlers.ofInputStream())
                .get();

        assertThat(new String(response.body().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(plain.send(request("/pay"), BodyHandlers.ofString()).body());
    }

    @Test
    void sendAsync_overTheLimit_failsWithIOException() throws Exception {
        HttpClient client = client(Duration.ZERO);
        for (int i = 0; i < 2; i++) {
            client.sendAsync(request("/pay"), BodyHandlers.ofString()).get();
        }

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> client.sendAsync(request("/pay"), BodyHandlers.ofString())
                        .get())
                .withCauseInstanceOf(RateLimitedIOException.class);
    }

    @Test
    void sendAsync_withPushes_isLimited() throws Exception {
        PushPromiseHandler<String> pushes =
                PushPromiseHandler.of(request -> BodyHandlers.ofString(), new ConcurrentHashMap<>());

        assertThat(client(Duration.ZERO)
                        .sendAsync(request("/pay"), BodyHandlers.ofString(), pushes)
                        .get()
                        .statusCode())
                .isEqualTo(200);

        assertThat(limiter.peek("localhost").remaining()).isEqualTo(1);
    }

    @Test
    void sendAsync_clientThrows_releasesThePermit() {
        OutboundLimiter failing = OutboundLimiter.builder(limiter)
                .key(uri -> {
                    throw new IllegalArgumentException("expected by a test");
                })
                .build();
        HttpClient client = RateLimitedHttpClient.of(
                RateLimitedHttpClient.of(plain, failing),
                OutboundLimiter.builder(limiter).build());

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> client.sendAsync(request("/pay"), BodyHandlers.ofString())
                        .get())
                .withCauseInstanceOf(IllegalArgumentException.class);

        assertThat(limiter.peek("localhost").remaining()).isEqualTo(2);
    }

    @Test
    void sendAsync_clientThrowsAnError_failsAndKeepsThePermit() {
        OutboundLimiter failing = OutboundLimiter.builder(limiter)
                .key(uri -> {
                    throw new OutOfMemoryError("expected by a test");
                })
                .build();
        HttpClient client = RateLimitedHttpClient.of(
                RateLimitedHttpClient.of(plain, failing),
                OutboundLimiter.builder(limiter).build());

        assertThat(client.sendAsync(request("/pay"), BodyHandlers.ofString()))
                .failsWithin(Await.TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(OutOfMemoryError.class);

        assertThat(limiter.peek("localhost").remaining()).isEqualTo(1);
    }

    @Test
    void response_429_blocksTheKey() throws Exception {
        provider.answers(429, "Retry-After", "120");

        assertThat(client(Duration.ZERO)
                        .send(request("/pay"), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(429);

        assertThat(limiter.peek("localhost").blocked()).isTrue();
        assertThat(limiter.peek("localhost").retryAfter()).hasSeconds(120);
    }

    @Test
    void response_remaining_tightens() throws Exception {
        provider.answers(200, "X-RateLimit-Remaining", "0");

        client(Duration.ZERO)
                .sendAsync(request("/pay"), BodyHandlers.ofString())
                .get();

        assertThat(limiter.peek("localhost").remaining()).isZero();
    }

    @Test
    void otherMethods_allDelegate() throws Exception {
        HttpClient full = HttpClient.newBuilder()
                .cookieHandler(new CookieManager())
                .connectTimeout(Duration.ofSeconds(7))
                .proxy(ProxySelector.of(null))
                .authenticator(new Authenticator() {})
                .executor(Runnable::run)
                .build();
        HttpClient client =
                RateLimitedHttpClient.of(full, OutboundLimiter.builder(limiter).build());
        List<Method> getters = Arrays.stream(HttpClient.class.getMethods())
                .filter(method -> method.getDeclaringClass() == HttpClient.class)
                .filter(method -> method.getParameterCount() == 0 && method.getReturnType() != void.class)
                .filter(method -> !java.lang.reflect.Modifier.isStatic(method.getModifiers()))
                .filter(method -> !method.getName().equals("newWebSocketBuilder")
                        && !method.getName().equals("sslParameters") // each is a new object
                        && !method.getName()
                                .equals("isTerminated")) // of JDK 21: this client is not closed with that one
                .toList();

        assertThat(getters).hasSizeGreaterThanOrEqualTo(8);
        for (Method getter : getters) {
            assertThat(getter.invoke(client)).as(getter.getName()).isEqualTo(getter.invoke(full));
        }
        assertThat(client.sslParameters().getProtocols())
                .isEqualTo(full.sslParameters().getProtocols());
        assertThat(client.newWebSocketBuilder()).isNotNull();
    }
}
