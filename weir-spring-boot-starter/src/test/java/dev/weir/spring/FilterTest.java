package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.TimeSource;
import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.testing.Await;
import dev.weir.testkit.ManualTimeSource;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;

/** The answers of the filter, on a manual clock; and what beans of the application change. */
class FilterTest {
    private static final ManualTimeSource TIME = new ManualTimeSource();
    private static final ConcurrentLinkedQueue<String> DECISIONS = new ConcurrentLinkedQueue<>();
    private static RunningApplication application;

    static class Beans {
        @Bean
        TimeSource time() {
            return TIME;
        }

        @Bean
        LimiterListener recorder() {
            return new LimiterListener() {
                @Override
                public void decided(String limiter, String key, long permits, Decision decision) {
                    DECISIONS.add(limiter + " " + key + " " + decision.allowed());
                }
            };
        }

        @Bean
        Plans plans() {
            return (limiter, key) -> {
                if (key.equals("broken")) {
                    throw new IllegalStateException("expected by a test");
                }
                return key.equals("bob") ? "premium" : null;
            };
        }
    }

    @BeforeAll
    static void start() {
        application = RunningApplication.start("""
                weir:
                  headers: [rate-limit, x-rate-limit]
                  plans: {premium: [ann]}
                  limits:
                    retry: {limit: 1/10s, path: /retry, key: global}
                    route: {limit: [2/10s, 3/1h], path: /route, key: global}
                    wait: {limit: 1/10s, path: /wait, key: user, max-wait: 15s}
                    live: {limit: 100/10s, path: /shadow, key: global}
                    shadow: {limit: 1/10s, path: /shadow, key: global, shadow: true}
                    planned: {limit: 1/10s, path: /planned, key: "header:Client", plans: {premium: 2/10s}}
                    failing-when: {limit: 1/10s, path: /failing-when, key: global, when: "header('A').length() > 1"}
                    failing-key: {limit: 1/10s, path: /failing-key, key: "header('A').length().toString()"}
                    native: {limit: 1/10s, path: /native, key: request.servletPath}
                """, Beans.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void retryAfter_ofADenial_isPresentAndEnough() throws Exception {
        assertThat(application.status("/retry")).isEqualTo(200);
        TIME.advance(Duration.ofMillis(9_500));

        HttpResponse<String> denied = application.get("/retry");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After"))
                .as("rounded up, never 0")
                .hasValue("1");
        assertThat(denied.headers().firstValue("RateLimit")).hasValue("\"retry\";r=0;t=1");
        assertThat(denied.headers().firstValue("X-RateLimit-Remaining")).hasValue("0");
        TIME.advance(Duration.ofSeconds(1));
        assertThat(application.status("/retry")).isEqualTo(200);
    }

    @Test
    void severalLimits_ofOneRoute_allHold() throws Exception {
        assertThat(application.status("/route")).isEqualTo(200);
        assertThat(application.status("/route")).isEqualTo(200);
        assertThat(application.get("/route").body()).contains("\"violated-policies\":[\"route-0\"]");
        TIME.advance(Duration.ofSeconds(10));
        assertThat(application.status("/route")).isEqualTo(200);

        HttpResponse<String> denied = application.get("/route");

        assertThat(denied.body()).contains("\"violated-policies\":[\"route-1\"]");
        assertThat(denied.headers().firstValue("RateLimit-Policy"))
                .hasValue("\"route-0\";q=2;w=10, \"route-1\";q=3;w=3600");
    }

    @Test
    void maxWait_ofAUser_holdsTheRequestAndKeepsTheUser() throws Exception {
        assertThat(application.status(application.as("ann", "/wait"))).isEqualTo(200);

        CompletableFuture<HttpResponse<String>> held = application.sendAsync(application.as("ann", "/wait"));
        Await.until("the request is held", () -> TIME.waiting() == 1);
        assertThat(held).isNotDone();
        TIME.advance(Duration.ofSeconds(10));

        assertThat(held.get().statusCode()).isEqualTo(200);
        assertThat(held.get().body()).isEqualTo("got ann");
    }

    @Test
    void maxWait_tooShort_isDeniedAtOnce() throws Exception {
        assertThat(application.status(application.as("bob", "/wait"))).isEqualTo(200);
        CompletableFuture<HttpResponse<String>> held = application.sendAsync(application.as("bob", "/wait"));
        Await.until("the request is held", () -> TIME.waiting() == 1);

        HttpResponse<String> denied = application.send(application.as("bob", "/wait")); // time stands still

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("20");
        TIME.advance(Duration.ofSeconds(10));
        assertThat(held.get().statusCode()).isEqualTo(200);
    }

    @Test
    void shadow_denies_requestIsServed() throws Exception {
        DECISIONS.clear();

        assertThat(application.status("/shadow")).isEqualTo(200);
        assertThat(application.status("/shadow")).isEqualTo(200);

        assertThat(DECISIONS)
                .containsExactly("live global true", "shadow global true", "live global true", "shadow global false");
    }

    @Test
    void plans_ofTheBean_completeTheConfiguration() throws Exception {
        assertThat(statuses("ann", 3)).as("in the list").containsExactly(200, 200, 429);
        assertThat(statuses("bob", 3)).as("by the bean").containsExactly(200, 200, 429);
        assertThat(statuses("carl", 2)).as("without a plan").containsExactly(200, 429);
        assertThat(statuses("broken", 2)).as("a failure of the bean").containsExactly(200, 429);
    }

    private static List<Integer> statuses(String client, int requests) throws Exception {
        Integer[] statuses = new Integer[requests];
        for (int i = 0; i < requests; i++) {
            statuses[i] = application.status(application.request("/planned").header("Client", client));
        }
        return List.of(statuses);
    }

    @Test
    void when_failsForARequest_limitHolds() throws Exception {
        assertThat(application.status("/failing-when")).isEqualTo(200);
        assertThat(application.status("/failing-when")).isEqualTo(429);
    }

    @Test
    void key_failsForARequest_isTheAddress() throws Exception {
        DECISIONS.clear();
        assertThat(application.status("/failing-key")).isEqualTo(200);
        assertThat(application.status(application.request("/failing-key").header("A", "abc")))
                .isEqualTo(200);

        assertThat(DECISIONS).containsExactly("failing-key ip:127.0.0.1 true", "failing-key 3 true");
    }

    @Test
    void key_ofTheNativeRequest_isItsProperty() throws Exception {
        DECISIONS.clear();
        assertThat(application.status("/native")).isEqualTo(200);

        assertThat(DECISIONS).containsExactly("native /native true");
    }

    @Test
    void filterOrder_beforeSecurityWithUser_failsAtStart() {
        assertThatThrownBy(() -> RunningApplication.start("""
                        weir:
                          filter-order: -101
                          limits:
                            login: {limit: 1/1h, path: /login}
                            api: {limit: 1/1h, path: /api, key: user}
                        """).close())
                .rootCause()
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("weir.limits.api.key: user is not known with weir.filter-order -101,"
                        + " before Spring Security at -100");
    }

    @Test
    void filterOrder_beforeSecurity_limitsRejectedLogins() throws Exception {
        try (RunningApplication early = RunningApplication.start("""
                weir:
                  filter-order: -101
                  limits:
                    login: {limit: 2/1h, path: /**}
                """)) {
            assertThat(early.status(early.as("mallory", "/"))).isEqualTo(401);
            assertThat(early.status(early.as("mallory", "/"))).isEqualTo(401);
            assertThat(early.status(early.as("mallory", "/"))).isEqualTo(429);
        }
    }
}
