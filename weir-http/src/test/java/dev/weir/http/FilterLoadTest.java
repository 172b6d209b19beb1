package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimiterListener;
import dev.weir.RateLimiter;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import dev.weir.testkit.TraceEvent.Kind;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** 50 concurrent clients at nine times the limit, for five windows, through the filter; a busy machine sends fewer requests. */
class FilterLoadTest {
    private static final long WINDOW_MILLIS = 200;
    private static final Limit LIMIT = Limit.slidingLog(20, Duration.ofMillis(WINDOW_MILLIS));
    private static final int CLIENTS = 50;
    private static final int REQUESTS_PER_CLIENT = 20;
    private static final long PAUSE_MILLIS = WINDOW_MILLIS * CLIENTS / (9 * LIMIT.permits());

    private final Queue<TraceEvent> trace = new ConcurrentLinkedQueue<>(); // as long as the load
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger answered200 = new AtomicInteger();
    private final AtomicInteger answered429 = new AtomicInteger();

    @Test
    void clients_atNineTimesTheLimit_noWindowHoldsMore() throws Exception {
        RateLimiter limiter = RateLimiter.builder()
                .name("api")
                .limit(LIMIT)
                .listener(recorder())
                .build();
        RateLimitFilter filter =
                RateLimitFilter.builder().rule(limiter, request -> "all").build();
        Container container = Container.Kind.JETTY.start(filter, new Counting(), true);
        try {
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + container.port() + "/"))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(send(client, request, REQUESTS_PER_CLIENT));
            }
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).get(120, TimeUnit.SECONDS);
        } finally {
            container.stop();
        }

        assertThat(TraceChecker.check(LIMIT, trace).holds()).isTrue();
        assertThat(trace).hasSize(CLIENTS * REQUESTS_PER_CLIENT);
        assertThat(answered200)
                .hasValueGreaterThanOrEqualTo((int) LIMIT.permits())
                .hasValue(served.get());
        assertThat(answered429).hasPositiveValue().hasValue(CLIENTS * REQUESTS_PER_CLIENT - served.get());
    }

    private LimiterListener recorder() {
        return new LimiterListener() {
            @Override
            public void decided(String limiter, String key, long permits, Decision decision) {
                Kind kind = decision.allowed() ? Kind.ALLOWED : Kind.DENIED;
                trace.add(new TraceEvent(decision.timeNanos(), key, permits, kind));
            }
        };
    }

    private CompletableFuture<Void> send(HttpClient client, HttpRequest request, int requests) {
        if (requests == 0) {
            return CompletableFuture.completedFuture(null);
        }
        Executor later = CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        return client.sendAsync(request, BodyHandlers.discarding())
                .thenAccept(response -> (response.statusCode() == 200 ? answered200 : answered429).incrementAndGet())
                .thenComposeAsync(done -> send(client, request, requests - 1), later);
    }

    private final class Counting extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            served.incrementAndGet();
        }
    }
}
