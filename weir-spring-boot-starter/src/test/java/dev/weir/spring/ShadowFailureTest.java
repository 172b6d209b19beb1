package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.http.ClientAddress;
import dev.weir.http.HeaderForm;
import dev.weir.http.RateLimitFilter;
import dev.weir.spring.internal.Problems;
import dev.weir.store.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Mono;

/** A shadow whose limiter throws, as one of a {@code RateLimiters} bean of the application may, or whose store does not answer. */
class ShadowFailureTest {
    @Test
    void webFlux_shadowFails_requestIsServed() {
        RateLimiter broken = RateLimiter.builder()
                .name("broken")
                .limitsByKey(key -> {
                    throw new IllegalStateException("no limits");
                })
                .build();
        WeirProperties.Limiter shadow = new WeirProperties.Limiter(
                List.of("1/1m"), List.of("/**"), List.of(), null, "global", null, true, Map.of(), null);
        RuleSettings settings = RuleSettings.parse("broken", shadow, ClientAddress.ofPeer(), new Problems())
                .orElseThrow();
        RateLimitWebFilter filter = new RateLimitWebFilter(
                new Rules(List.of(new Rules.Rule(broken, settings))),
                new ReactiveResponses(Set.of(HeaderForm.RATE_LIMIT), false),
                0);
        AtomicInteger served = new AtomicInteger();

        filter.filter(
                        MockServerWebExchange.from(MockServerHttpRequest.get("/a")),
                        exchange -> Mono.fromRunnable(served::incrementAndGet))
                .block();

        assertThat(served).hasValue(1);
    }

    @Test
    void servlet_storeOfShadowDoesNotAnswer_requestIsServed() throws Exception {
        Store silent = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, called, arguments) -> switch (called.getName()) {
                    case "timeSource" -> TimeSource.system();
                    case "check" -> null;
                    case "reserveAsync" -> new CompletableFuture<>();
                    default -> throw new AssertionError("the request would wait for " + called.getName());
                });
        RateLimiter shadow =
                RateLimiter.builder().name("shadow").limit("1/1m").store(silent).build();
        RateLimitFilter filter = RateLimitFilter.builder()
                .shadowRule(shadow, request -> "any", Duration.ZERO)
                .build();
        MockFilterChain served = new MockFilterChain();

        filter.doFilter(new MockHttpServletRequest(), new MockHttpServletResponse(), served);

        assertThat(served.getRequest()).isNotNull();
    }
}
