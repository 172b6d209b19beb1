package dev.weir.spring.client;

import dev.weir.http.OutboundLimitException;
import dev.weir.http.OutboundLimiter;
import dev.weir.http.OutboundPermit;
import dev.weir.spring.internal.Grants;
import java.util.Objects;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * A filter for {@code WebClient} whose requests wait for a permit before they are sent, without a thread. If the wait would exceed
 * the longest wait, the exchange fails with {@link OutboundLimitException}. Cancelling the subscription cancels the reservation. Each
 * subscription is a request for the limiter, so each {@code retry()} is one. Redirects that the HTTP library follows itself are
 * not seen here. Add it as the last filter. Thread-safe.
 */
public final class RateLimitExchangeFilter implements ExchangeFilterFunction {
    private final OutboundLimiter limiter;

    /**
     * Creates a filter.
     *
     * @param limiter limits the requests
     */
    public RateLimitExchangeFilter(OutboundLimiter limiter) {
        this.limiter = Objects.requireNonNull(limiter, "limiter must not be null");
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return Grants.of(() -> limiter.acquireAsync(request.url()), OutboundPermit::cancel)
                .flatMap(permit -> send(permit, request, next));
    }

    private static Mono<ClientResponse> send(OutboundPermit permit, ClientRequest request, ExchangeFunction next) {
        try {
            return next.exchange(request).doOnNext(response -> report(permit, response));
        } catch (RuntimeException invalid) { // the request is not sent
            permit.cancel();
            throw invalid;
        }
    }

    private static void report(OutboundPermit permit, ClientResponse response) {
        permit.received(
                response.statusCode().value(), name -> response.headers().header(name));
    }
}
