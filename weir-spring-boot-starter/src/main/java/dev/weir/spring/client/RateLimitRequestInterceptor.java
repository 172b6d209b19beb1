package dev.weir.spring.client;

import dev.weir.http.OutboundLimitException;
import dev.weir.http.OutboundLimiter;
import dev.weir.http.OutboundPermit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * An interceptor for {@code RestClient} and {@code RestTemplate} whose requests wait for a permit before they are sent. Add it as
 * the last interceptor, so that what others do does not delay a request whose permit is due, and so that the retries of others
 * count. Redirects, and retries such as those of Apache's client after a 429, that the HTTP library does itself take no permit.
 * Thread-safe.
 */
public final class RateLimitRequestInterceptor implements ClientHttpRequestInterceptor {
    private final OutboundLimiter limiter;

    /**
     * Creates an interceptor.
     *
     * @param limiter limits the requests
     */
    public RateLimitRequestInterceptor(OutboundLimiter limiter) {
        this.limiter = Objects.requireNonNull(limiter, "limiter must not be null");
    }

    /**
     * Waits for a permit, then sends the request.
     *
     * @throws OutboundLimitException if no permit is granted within the longest wait; the request was not sent
     * @throws InterruptedIOException if the thread is interrupted while it waits; the reservation is then cancelled
     */
    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        OutboundPermit permit;
        try {
            permit = limiter.acquire(request.getURI());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a permit");
        }
        ClientHttpResponse response = execution.execute(request, body);
        try {
            permit.received(response.getStatusCode().value(), response.getHeaders()::getOrEmpty);
            return response;
        } catch (IOException | RuntimeException unreadable) {
            response.close(); // nobody else has it
            throw unreadable;
        }
    }
}
