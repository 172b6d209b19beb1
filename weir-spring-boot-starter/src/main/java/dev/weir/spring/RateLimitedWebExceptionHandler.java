package dev.weir.spring;

import dev.weir.RateLimitedException;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers a {@link RateLimitedException} of a handler, unless the application has an exception handler for it. Thread-safe. */
final class RateLimitedWebExceptionHandler implements WebExceptionHandler, Ordered {
    private static final int BEFORE_ERROR_PAGES = -2; // those of Spring Boot are at -1

    private final ReactiveResponses responses;

    RateLimitedWebExceptionHandler(ReactiveResponses responses) {
        this.responses = responses;
    }

    @Override
    public int getOrder() {
        return BEFORE_ERROR_PAGES;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        RateLimitedException denial = DenialResponse.denial(failure);
        if (denial != null && !exchange.getResponse().isCommitted()) {
            return responses.deny(denial, exchange);
        }
        return Mono.error(failure);
    }
}
