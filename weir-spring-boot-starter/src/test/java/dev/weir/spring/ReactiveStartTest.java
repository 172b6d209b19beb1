package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.testing.Await;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** Reactive applications that a test starts for itself: another one in the same process would stop with them. */
class ReactiveStartTest {
    @Test
    void storeFails_theFailurePolicyDecides() throws Exception {
        String limits = """
                weir:
                  redis: {uri: "redis://127.0.0.1:1"}
                  limits:
                    opened: {limit: 1/1m, on-failure: open}
                    closed: {limit: 1/1m, on-failure: closed}
                """;
        try (Backend backend = new Backend();
                RunningApplication gateway = Backend.startGateway(
                        limits,
                        backend.route("opened", "weir.limiter: opened"),
                        backend.route("closed", "weir.limiter: closed"))) {
            assertThat(gateway.status(gateway.request("/opened").header("X-Api-Key", "a")))
                    .isEqualTo(200);
            assertThat(gateway.status(gateway.request("/closed").header("X-Api-Key", "a")))
                    .isEqualTo(429);
        }
    }

    @Test
    void keyUser_filterBeforeSpringSecurity_failsAndSaysWhy() {
        String yaml = """
                weir:
                  filter-order: -101
                  limits:
                    api: {limit: 1/1m, path: /**, key: user}
                """;

        Throwable failure =
                catchThrowable(() -> RunningApplication.startReactive(yaml).close());

        assertThat(failure)
                .rootCause()
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("weir.limits.api.key: user is not known with weir.filter-order -101");
    }

    @Test
    void filterOrder_securityOrderOfServletsIsSet_isAfterSecurity() {
        String yaml = """
                spring.security.filter.order: -500 # WebFlux does not read it
                weir:
                  limits:
                    api: {limit: 1/1m, path: /**, key: user}
                """;

        try (RunningApplication application = RunningApplication.startReactive(yaml)) {
            assertThat(application.bean(RateLimitWebFilter.class).getOrder()).isEqualTo(-99);
        }
    }

    /** Counts the requests whose user is asked for, behind Spring Security, which asks for that of each. */
    @Configuration(proxyBeanMethods = false)
    static class Users {
        final AtomicInteger loaded = new AtomicInteger();

        @Bean
        @Order(-50)
        WebFilter countUsers() {
            return (exchange, chain) -> {
                Mono<Principal> user = exchange.getPrincipal();
                Mono<Principal> counted = user.doOnSubscribe(subscription -> loaded.incrementAndGet());
                return chain.filter(exchange.mutate().principal(counted).build());
            };
        }
    }

    @ParameterizedTest
    @CsvSource({"ip, 0", "header:X-Api-Key, 0", "user, 1", "principal?.name, 1"})
    void user_noRuleNeedsIt_isNotLoaded(String key, int loaded) throws Exception {
        String yaml = """
                weir:
                  filter-order: 0
                  limits:
                    api: {limit: 100/1m, path: /**, key: '%s'}
                """.formatted(key);

        try (RunningApplication application = RunningApplication.startReactive(yaml, Users.class)) {
            assertThat(application.status("/none")).isEqualTo(404);

            assertThat(application.bean(Users.class).loaded).hasValue(loaded);
        }
    }

    @Test
    void gateway_asOnThePage_starts() {
        String yaml = SpringPageTest.yamlOfAllPages().stream()
                .filter(block -> block.contains("RequestRateLimiter"))
                .findFirst()
                .orElseThrow();
        String enabled = "\nspring.cloud.gateway.server.webflux.enabled: true\n";
        try (RunningApplication gateway = RunningApplication.startReactive(yaml + enabled, Backend.Keys.class)) {
            assertThat(gateway.bean(RouteLocator.class).getRoutes().blockFirst(Await.TIMEOUT))
                    .as("the routes are loaded when they are first needed")
                    .isNotNull();
            assertThat(gateway.bean(GatewayRateLimiter.class)
                            .getConfig()
                            .get("orders")
                            .getLimiter())
                    .containsExactly("per-second", "per-day");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class JavaRoute {
        @Bean
        RouteLocator routes(RouteLocatorBuilder builder, @Value("${limiter}") String limiter) {
            return builder.routes()
                    .route(
                            "java",
                            route -> route.path("/java")
                                    .filters(filters -> filters.requestRateLimiter()
                                            .rateLimiter(
                                                    GatewayRateLimiter.class,
                                                    arguments -> arguments.setLimiter(List.of(limiter)))
                                            .configure(filter -> {}))
                                    .uri("http://127.0.0.1:1"))
                    .build();
        }
    }

    private static RunningApplication startWithJavaRoute(String limiter) {
        String yaml = Backend.LIMITS + "limiter: " + limiter + "\nspring.cloud.gateway.server.webflux.enabled: true\n";
        return RunningApplication.startReactive(yaml, Backend.Keys.class, JavaRoute.class);
    }

    @Test
    void routeInJava_isLimited() throws Exception {
        try (RunningApplication gateway = startWithJavaRoute("minute")) {
            assertThat(gateway.status(gateway.request("/java").header("X-Api-Key", "a")))
                    .as("there is no backend")
                    .isEqualTo(500);
            assertThat(gateway.status(gateway.request("/java").header("X-Api-Key", "a")))
                    .isEqualTo(429);
        }
    }

    @Test
    void routeInJavaWithAMistake_failsAndIsNamed() {
        assertThatThrownBy(() -> startWithJavaRoute("minuet").close())
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(
                        "RequestRateLimiter of route 'java': no limiter is named 'minuet' under weir.limits, only [minute, day, shadow]");
    }

    @Test
    void routesWithMistakes_failAndAreNamed() throws Exception {
        try (Backend backend = new Backend()) {
            String twice = backend.route("twice", "weir.limiter: minute")
                    .replace("filters: [", "filters: [{name: RequestRateLimiter, args: {weir.limiter: day}}, ");

            Throwable failure = catchThrowable(() -> Backend.startGateway(
                            Backend.LIMITS,
                            backend.route("unknown", "weir.limiter: hour"),
                            backend.route("none", "deny-empty-key: true"),
                            backend.route("empty", "weir.permits: 1"),
                            backend.route("misspelt", "weir.limiter: day, weir.permit: 4, weir.maxWait: 1s"),
                            backend.route("soon", "weir.limiter: day, weir.maxWait: soon"),
                            backend.route("many", "weir.limiter: day, weir.permits: many"),
                            twice)
                    .close());

            assertThat(failure)
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining(
                            "route 'unknown': no limiter is named 'hour' under weir.limits, only [minute, day, shadow]")
                    .hasMessageContaining(
                            "route 'none': weir.limiter must name a limiter, one of [minute, day, shadow]")
                    .hasMessageContaining(
                            "route 'empty': weir.limiter must name a limiter, one of [minute, day, shadow]")
                    .hasMessageContaining("route 'misspelt': unknown argument weir.permit;")
                    .hasMessageContaining("route 'soon': weir.max-wait must be a duration such as 2s, was 'soon'")
                    .hasMessageContaining("route 'many': weir.permits must be a whole number, was 'many'")
                    .hasMessageContaining("route 'twice': must have one RequestRateLimiter");
        }
    }

    @Test
    void otherLimiter_inAnySpelling_isLeftToTheGateway() throws Exception {
        try (Backend backend = new Backend();
                RunningApplication gateway = Backend.startGateway(
                        Backend.LIMITS,
                        backend.route("kebab", "rate-limiter: '#{@redisRateLimiter}'"),
                        backend.route("camel", "rateLimiter: '#{@redisRateLimiter}'"))) {
            assertThat(gateway.bean(GatewayRateLimiter.class).getConfig()).isEmpty();
        }
    }

    /** The gateway evaluates the arguments of its filters. */
    @Test
    void argumentsAreExpressions_startsAsWithTheirValues() throws Exception {
        try (Backend backend = new Backend()) {
            Backend.startGateway(
                            Backend.LIMITS,
                            backend.route("valid", "weir.limiter: \"#{'min' + 'ute'}\", weir.permits: \"#{1 + 1}\""))
                    .close();

            Throwable failure = catchThrowable(() -> Backend.startGateway(
                            Backend.LIMITS,
                            backend.route("unknown", "weir.limiter: \"#{'ho' + 'ur'}\""),
                            backend.route("missing", "weir.limiter: \"#{@plans.limiter}\""))
                    .close());

            assertThat(failure)
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining("route 'unknown': no limiter is named 'hour' under weir.limits")
                    .hasMessageContaining("route 'missing': weir.limiter cannot be evaluated: ");
        }
    }
}
