package dev.weir.spring;

import dev.weir.Decision;
import dev.weir.Request;
import dev.weir.http.RateLimitResponse;
import dev.weir.spring.internal.Grants;
import dev.weir.spring.internal.Shadows;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Limits the requests of a WebFlux application by the rules of the configuration, as {@link dev.weir.http.RateLimitFilter} does
 * for servlets. No thread waits; if the client disconnects while its request is held, the reservation is cancelled. Thread-safe.
 */
final class RateLimitWebFilter implements WebFilter, Ordered {
    private final List<Rules.Rule> rules;
    private final boolean readsUser; // else a session need not be loaded
    private final ReactiveResponses responses;
    private final int order;

    RateLimitWebFilter(Rules rules, ReactiveResponses responses, int order) {
        this.rules = rules.list();
        this.readsUser = this.rules.stream().anyMatch(rule -> rule.settings().mayReadUser());
        this.responses = responses;
        this.order = order;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (rules.isEmpty()) {
            return chain.filter(exchange);
        }
        return (readsUser ? exchange.<Principal>getPrincipal() : Mono.<Principal>empty())
                .singleOptional()
                .flatMap(principal -> limit(new ReactiveLimitedRequest(exchange, principal.orElse(null)), chain));
    }

    private Mono<Void> limit(ReactiveLimitedRequest request, WebFilterChain chain) {
        List<Request> requests = new ArrayList<>();
        List<Duration> maxWaits = new ArrayList<>();
        for (Rules.Rule rule : rules) {
            String key = rule.settings().shadow() ? null : rule.settings().keyOf(request);
            if (key != null) {
                requests.add(rule.limiter().request(key, 1));
                Optional.ofNullable(rule.settings().maxWait()).ifPresent(maxWaits::add);
            }
        }
        if (requests.isEmpty()) {
            return proceed(request, chain);
        }
        Duration shortest = maxWaits.stream().min(Comparator.naturalOrder()).orElse(Duration.ZERO);
        return Grants.whenDue(shortest, requests).flatMap(decision -> answer(decision, requests, request, chain));
    }

    private Mono<Void> answer(
            Decision decision, List<Request> requests, ReactiveLimitedRequest request, WebFilterChain chain) {
        RateLimitResponse limited = RateLimitResponse.of(decision, requests);
        if (!decision.allowed()) {
            return responses.deny(limited, request.exchange());
        }
        responses.setHeaders(limited, request.exchange());
        return proceed(request, chain);
    }

    private Mono<Void> proceed(ReactiveLimitedRequest request, WebFilterChain chain) {
        for (Rules.Rule rule : rules) {
            if (rule.settings().shadow()) {
                Duration maxWait = Objects.requireNonNullElse(rule.settings().maxWait(), Duration.ZERO);
                Shadows.decide(rule.limiter(), () -> rule.settings().keyOf(request), 1, maxWait);
            }
        }
        return chain.filter(request.exchange());
    }
}
