package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.testing.Await;
import dev.weir.testkit.ManualTimeSource;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter.Response;

/** Routes of Spring Cloud Gateway to a backend: one gateway, and one route for each test. */
class GatewayTest {
    private static Backend backend;
    private static RunningApplication gateway;

    @BeforeAll
    static void start() throws IOException {
        backend = new Backend();
        gateway = Backend.startGateway(
                Backend.LIMITS,
                backend.route("one", "weir.limiter: minute"),
                backend.route("two", "weir.limiter: 'minute, day'"),
                backend.route("held", "weir.limiter: minute", "weir.max-wait: 1m"),
                backend.route("shadow", "weir.limiter: 'shadow, day'"),
                backend.route("only-shadow", "weir.limiter: shadow"),
                backend.route("heavy", "weir.limiter: day", "weir.permits: 2"));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        backend.close();
    }

    private static HttpRequest.Builder request(String path, String key) {
        return gateway.request(path).header("X-Api-Key", key);
    }

    private static long remaining(String limiter, String key) {
        return gateway.bean(RateLimiters.class).get(limiter).peek(key).remaining();
    }

    @Test
    void limiterOfWeir_takesThePlaceOfTheOneOnRedis() {
        var limiters = gateway.beans(org.springframework.cloud.gateway.filter.ratelimit.RateLimiter.class);
        assertThat(limiters).hasSize(2);
        assertThat(gateway.bean(RequestRateLimiterGatewayFilterFactory.class).getDefaultRateLimiter())
                .isInstanceOf(GatewayRateLimiter.class);
    }

    @Test
    void denied_hasRetryAfterAndDoesNotReachTheBackend() throws Exception {
        HttpResponse<String> allowed = gateway.send(request("/one", "denied"));
        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(allowed.headers().firstValue("RateLimit")).hasValue("\"minute\";r=0;t=60");
        int calls = backend.calls();

        HttpResponse<String> denied = gateway.send(request("/one", "denied"));

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("60");
        assertThat(denied.headers().firstValue("RateLimit-Policy")).hasValue("\"minute\";q=1;w=60");
        assertThat(backend.calls()).isEqualTo(calls);
        assertThat(gateway.status(request("/one", "another"))).isEqualTo(200);
    }

    @Test
    void severalLimitersOfARoute_oneDenies_consumeNothing() throws Exception {
        assertThat(gateway.status(request("/two", "several"))).isEqualTo(200);

        HttpResponse<String> denied = gateway.send(request("/two", "several"));

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("RateLimit-Policy"))
                .hasValue("\"minute\";q=1;w=60, \"day\";q=2;w=86400");
        assertThat(remaining("day", "several")).isEqualTo(1);
    }

    @Test
    void shadow_decidesAndNeverDenies() throws Exception {
        assertThat(gateway.status(request("/shadow", "shadow"))).isEqualTo(200);
        assertThat(gateway.status(request("/shadow", "shadow"))).isEqualTo(200);
        assertThat(remaining("shadow", "shadow")).isZero();
        assertThat(gateway.status(request("/shadow", "shadow")))
                .as("by the day")
                .isEqualTo(429);
    }

    @Test
    void permits_areAllRequested() throws Exception {
        assertThat(gateway.status(request("/heavy", "heavy"))).isEqualTo(200);
        assertThat(remaining("day", "heavy")).isZero();
    }

    @Test
    void maxWait_holdsTheRequest() throws Exception {
        assertThat(gateway.status(request("/held", "held"))).isEqualTo(200);
        CompletableFuture<HttpResponse<String>> held = gateway.sendAsync(request("/held", "held"));
        ManualTimeSource time = gateway.bean(ManualTimeSource.class);
        Await.until("held", () -> time.waiting() == 1);

        assertThat(gateway.status(request("/held", "held"))).isEqualTo(429);
        time.advance(Duration.ofMinutes(1));

        assertThat(held.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @Test
    void keyThatIsTooLong_isDenied() throws Exception {
        assertThat(gateway.status(request("/one", "k".repeat(1025)))).isEqualTo(429);
    }

    @Test
    void keyThatIsTooLong_ofAShadow_isServed() throws Exception {
        assertThat(gateway.status(request("/only-shadow", "k".repeat(1025)))).isEqualTo(200);
    }

    @Test
    void withoutAKey_isDeniedByTheGateway() throws Exception {
        assertThat(gateway.status("/one")).isEqualTo(403);
    }

    @Test
    void argumentsOfALaterRoute_invalid_areRefusedWithTheReason() {
        var route = new FilterArgsEvent(this, "later", Map.of("weir.limiter", "minute", "weir.permits", "many"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> gateway.bean(GatewayRateLimiter.class).onApplicationEvent(route))
                .withMessage("weir.permits must be a whole number, was 'many'");
    }

    @Test
    void argumentsOfAKnownRoute_invalid_leaveTheEarlierOnes() {
        GatewayRateLimiter limiter = gateway.bean(GatewayRateLimiter.class);
        limiter.onApplicationEvent(new FilterArgsEvent(this, "changed", Map.of("weir.limiter", "minute")));

        for (Map<String, Object> arguments : List.<Map<String, Object>>of(
                Map.of("weir.limiter", "minuet"), Map.of("weir.limiter", "minute", "weir.permits", "0"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter.onApplicationEvent(new FilterArgsEvent(this, "changed", arguments)));
        }

        assertThat(limiter.isAllowed("changed", "kept").block()).matches(Response::isAllowed);
    }

    @Test
    void argumentsOfALaterRoute_whileOthersAreRead_areStored() {
        GatewayRateLimiter limiter = gateway.bean(GatewayRateLimiter.class);
        var route = new FilterArgsEvent(this, "added", Map.of("weir.limiter", "minute"));

        limiter.getConfig().keySet().forEach(known -> limiter.onApplicationEvent(route));

        assertThat(limiter.isAllowed("added", "later").block()).matches(Response::isAllowed);
    }

    @Test
    void unknownLimiter_failsTheRequest() {
        GatewayRateLimiter limiter = gateway.bean(GatewayRateLimiter.class);
        limiter.getConfig().put("in-java", new GatewayRateLimiter.Config().setLimiter(List.of("minuet")));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.isAllowed("in-java", "any").block())
                .withMessageContaining("no limiter is named 'minuet'");
    }
}
