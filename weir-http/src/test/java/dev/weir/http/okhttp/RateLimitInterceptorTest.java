package dev.weir.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.RateLimiter;
import dev.weir.http.OutboundLimiter;
import dev.weir.http.Provider;
import dev.weir.http.RateLimitedIOException;
import dev.weir.testing.Await;
import dev.weir.testkit.ManualTimeSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over real sockets. */
class RateLimitInterceptorTest {
    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimiter limiter =
            RateLimiter.builder().timeSource(time).limit("2/10s").build();
    private Provider provider;

    @BeforeEach
    void start() throws Exception {
        provider = new Provider();
    }

    @AfterEach
    void stop() {
        provider.close();
    }

    private OkHttpClient client(Duration maxWait) {
        return new OkHttpClient.Builder()
                .addNetworkInterceptor(new RateLimitInterceptor(
                        OutboundLimiter.builder(limiter).maxWait(maxWait).build()))
                .build();
    }

    private Call call(OkHttpClient client, String path) {
        return client.newCall(
                new Request.Builder().url(provider.uri(path).toString()).build());
    }

    private int status(OkHttpClient client, String path) throws IOException {
        try (Response response = call(client, path).execute()) {
            return response.code();
        }
    }

    private long pending() {
        return limiter.inspect("localhost").limits().get(0).pending().size();
    }

    @Test
    void execute_severalLimits_takesPermitsOfEach() throws Exception {
        OkHttpClient client = new OkHttpClient.Builder()
                .addNetworkInterceptor(new RateLimitInterceptor(OutboundLimiter.builder(limiter)
                        .and(limiter, uri -> "endpoint", uri -> 2)
                        .build()))
                .build();

        assertThat(status(client, "/pay")).isEqualTo(200);
        assertThatExceptionOfType(RateLimitedIOException.class).isThrownBy(() -> status(client, "/pay"));

        assertThat(limiter.peek("localhost").remaining()).isEqualTo(1);
        assertThat(limiter.peek("endpoint").remaining()).isZero();
    }

    @Test
    void execute_overTheLimit_failsAtOnceAndSendsNothing() throws Exception {
        OkHttpClient client = client(Duration.ofSeconds(9));
        assertThat(status(client, "/pay")).isEqualTo(200);
        assertThat(status(client, "/pay")).isEqualTo(200);

        assertThatExceptionOfType(RateLimitedIOException.class).isThrownBy(() -> status(client, "/pay"));

        assertThat(provider.paths()).hasSize(2);
    }

    @Test
    void enqueue_overTheLimit_reportsTheFailure() throws Exception {
        OkHttpClient client = client(Duration.ZERO);
        status(client, "/pay");
        status(client, "/pay");
        CompletableFuture<Response> result = new CompletableFuture<>();

        call(client, "/pay").enqueue(new Callback() {
            @Override
            public void onFailure(Call call, IOException failure) {
                result.completeExceptionally(failure);
            }

            @Override
            public void onResponse(Call call, Response response) {
                result.complete(response);
            }
        });

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> result.get(30, TimeUnit.SECONDS))
                .withCauseInstanceOf(RateLimitedIOException.class);
    }

    @Test
    void redirect_isARequestOfItsOwn() throws Exception {
        assertThat(status(client(Duration.ZERO), "/moved")).isEqualTo(200);

        assertThat(provider.paths()).containsExactly("/moved", "/new");
        assertThat(limiter.peek("localhost").remaining()).isZero();
    }

    @Test
    void maxWait_holdsTheCallUntilItIsDue() throws Exception {
        OkHttpClient client = client(Duration.ofSeconds(10));
        status(client, "/pay");
        status(client, "/pay");
        CompletableFuture<Integer> third = CompletableFuture.supplyAsync(() -> {
            try {
                return status(client, "/third");
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
        });
        Await.until(() -> time.waiting() == 1);
        assertThat(provider.paths()).hasSize(2);

        time.advance(Duration.ofSeconds(10));

        assertThat(third.get(30, TimeUnit.SECONDS)).isEqualTo(200);
    }

    @Test
    void interrupt_whileWaiting_cancelsTheReservation() throws Exception {
        OkHttpClient client = client(Duration.ofMinutes(10));
        status(client, "/pay");
        status(client, "/pay");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            try {
                status(client, "/pay");
            } catch (IOException failure) {
                thrown.set(failure);
                interrupted.set(Thread.interrupted());
            }
        });
        caller.start();
        Await.until(() -> time.waiting() == 1);

        caller.interrupt();
        caller.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
        assertThat(interrupted).as("the caller sees the interrupt").isTrue();
        assertThat(pending()).isZero();
    }

    @Test
    void cancel_whileWaiting_endsTheWaitAndReleasesThePermit() throws Exception {
        OkHttpClient client = client(Duration.ofSeconds(10));
        status(client, "/pay");
        status(client, "/pay");
        Call waiting = call(client, "/third");
        CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
            assertThatIOException().isThrownBy(waiting::execute).withMessageContaining("cancelled");
            return Thread.interrupted();
        });
        Await.until(() -> time.waiting() == 1);

        waiting.cancel(); // the time does not change

        assertThat(interrupted.get(30, TimeUnit.SECONDS))
                .as("interrupt status after the call")
                .isFalse();
        assertThat(pending()).isZero();
        assertThat(provider.paths()).doesNotContain("/third");
    }

    /** The key is found before the wait; without one, there is none, so the interrupt comes too late. */
    @Test
    void cancel_beforeTheWait_leavesTheThreadUninterrupted() {
        AtomicReference<Call> calling = new AtomicReference<>();
        OkHttpClient client = new OkHttpClient.Builder()
                .addNetworkInterceptor(new RateLimitInterceptor(OutboundLimiter.builder(limiter)
                        .key(uri -> {
                            calling.get().cancel();
                            return null;
                        })
                        .build()))
                .build();
        calling.set(call(client, "/pay"));

        assertThatIOException().isThrownBy(() -> calling.get().execute()).withMessageContaining("cancelled");

        assertThat(Thread.interrupted()).isFalse();
        assertThat(provider.paths()).isEmpty();
    }

    @Test
    void callTimeout_whileWaiting_endsTheWaitAndReleasesThePermit() throws Exception {
        OkHttpClient client = client(Duration.ofSeconds(10));
        status(client, "/pay");
        status(client, "/pay");
        Call waiting = call(client, "/third");
        waiting.timeout().timeout(100, TimeUnit.MILLISECONDS);

        CompletableFuture<Response> result = CompletableFuture.supplyAsync(() -> {
            try {
                return waiting.execute();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> result.get(30, TimeUnit.SECONDS))
                .havingRootCause()
                .isInstanceOf(IOException.class);
        assertThat(pending()).isZero();
        assertThat(provider.paths()).doesNotContain("/third");
    }

    @Test
    void response_503_blocksTheKey() throws Exception {
        provider.answers(503, "Retry-After", "120");

        assertThat(status(client(Duration.ZERO), "/pay")).isEqualTo(503);

        assertThat(limiter.peek("localhost").retryAfter()).hasSeconds(120);
    }

    @Test
    void applicationInterceptor_isRejected() {
        OkHttpClient client = new OkHttpClient.Builder()
                .addInterceptor(new RateLimitInterceptor(
                        OutboundLimiter.builder(limiter).build()))
                .build();

        assertThatIllegalStateException()
                .isThrownBy(() -> status(client, "/pay"))
                .withMessageContaining("addNetworkInterceptor");
    }
}
