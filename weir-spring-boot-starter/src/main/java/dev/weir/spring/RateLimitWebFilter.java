package dev.weir.spring;

import dev.weir.Decision;
import dev.weir.Request;
import dev.weir.http.RateLimitResponse;
import dev.weir.spring.internal.Grants;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
    private final ReactiveResponses responses;
    private final int order;

    RateLimitWebFilter(Rules rules, ReactiveResponses responses, int order) {
        this.rules = rules.list();
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
        return exchange.getPrincipal()
                .map(Optional::of)
                .defaultIfEmpty(Optional.<Principal>empty())
                .flatMap(principal -> limit(new ReactiveLimitedRequest(exchange, principal.orElse(null)), chain));
    }

    private Mono<Void> limit(ReactiveLimitedRequest request, WebFilterChain chain) {
        List<Request> requests = new ArrayList<>();
        Duration maxWait = null;
        for (Rules.Rule rule : rules) {
            String key = rule.settings().shadow() ? null : rule.settings().keyOf(request);
            if (key != null) {
                requests.add(rule.limiter().request(key, 1));
                maxWait = shorter(maxWait, rule.settings().maxWait());
            }
        }
        if (requests.isEmpty()) {
            return proceed(request, chain);
        }
        Duration wait = maxWait == null ? Duration.ZERO : maxWait;
        return Grants.whenDue(wait, requests).flatMap(decision -> answer(decision, requests, request, chain));
    }

    private static @Nullable Duration shorter(@Nullable Duration one, @Nullable Duration other) {
        return one == null || (other != null && other.compareTo(one) < 0) ? other : one;
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
        decideShadows(request);
        return chain.filter(request.exchange());
    }

    /** Lets each shadow rule decide for itself. Its listeners are notified; the request does not wait for the answer. */
    private void decideShadows(ReactiveLimitedRequest request) {
        for (Rules.Rule rule : rules) {
            String key = rule.settings().shadow() ? rule.settings().keyOf(request) : null;
            if (key != null) {
                Duration maxWait = rule.settings().maxWait();
                var unused = rule.limiter().reserveAsync(key, maxWait == null ? Duration.ZERO : maxWait);
            }
        }
    }
}
