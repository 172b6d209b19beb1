package dev.weir.spring;

import dev.weir.RateLimitedException;
import dev.weir.http.HeaderForm;
import dev.weir.http.RateLimitResponse;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Writes what WebFlux answers. Thread-safe. */
final class ReactiveResponses {
    private final Set<HeaderForm> forms;
    private final boolean errorPages;

    ReactiveResponses(Set<HeaderForm> forms, boolean errorPages) {
        this.forms = forms;
        this.errorPages = errorPages;
    }

    /** Sets the headers that report limits. */
    void setHeaders(RateLimitResponse limited, ServerWebExchange exchange) {
        limited.headers(forms).forEach(exchange.getResponse().getHeaders()::set);
    }

    /** Answers a request that was denied. */
    Mono<Void> deny(RateLimitResponse limited, ServerWebExchange exchange) {
        return answer(DenialResponse.of(limited, forms), null, exchange);
    }

    /** Answers a request whose handler was denied. */
    Mono<Void> deny(RateLimitedException denial, ServerWebExchange exchange) {
        return answer(DenialResponse.of(denial, forms), denial, exchange);
    }

    private Mono<Void> answer(DenialResponse denial, @Nullable RateLimitedException cause, ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        HttpHeaders headers = response.getHeaders();
        denial.headers().forEach(headers::set);
        if (errorPages) {
            return Mono.error(new ResponseStatusException(HttpStatusCode.valueOf(denial.status()), null, cause));
        }
        byte[] problem = denial.problem().getBytes(StandardCharsets.US_ASCII);
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        headers.setContentLength(problem.length);
        response.setStatusCode(HttpStatusCode.valueOf(denial.status()));
        if (exchange.getRequest().getMethod().equals(HttpMethod.HEAD)) {
            return response.setComplete();
        }
        return response.writeWith(
                Mono.<DataBuffer>fromSupplier(() -> response.bufferFactory().wrap(problem)));
    }
}
