package dev.weir.http.okhttp;

import dev.weir.RateLimitedException;
import dev.weir.http.OutboundLimiter;
import dev.weir.http.OutboundPermit;
import dev.weir.http.RateLimitedIOException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * An interceptor of OkHttp whose requests wait for a permit before they are sent. Add it with {@code addNetworkInterceptor}. A call
 * fails with a {@link RateLimitedIOException} if the wait would exceed {@link OutboundLimiter.Builder#maxWait}; cancelling a call
 * does not end its wait, an interrupt does. Thread-safe.
 *
 * <p>As a network interceptor it sees what goes over the wire: each redirect and each retry of OkHttp is a request for the limiter,
 * and a response from the cache is none. The connection is there before the wait begins, so the permit is not older by the time
 * that connecting takes; the connection is held during the wait.
 */
@SuppressWarnings("exports") // of a module that its users have
public final class RateLimitInterceptor implements Interceptor {
    private final OutboundLimiter limiter;

    /**
     * Creates an interceptor.
     *
     * @param limiter limits the requests
     */
    public RateLimitInterceptor(OutboundLimiter limiter) {
        this.limiter = Objects.requireNonNull(limiter, "limiter must not be null");
    }

    /**
     * Waits for a permit, then proceeds.
     *
     * @throws RateLimitedIOException if the wait would exceed the longest wait; the request was not sent
     * @throws InterruptedIOException if the thread is interrupted while it waits; the reservation is then cancelled
     * @throws IllegalStateException if this is not a network interceptor
     */
    @Override
    public Response intercept(Chain chain) throws IOException {
        if (chain.connection() == null) {
            throw new IllegalStateException("RateLimitInterceptor must be added with addNetworkInterceptor");
        }
        OutboundPermit permit;
        try {
            permit = limiter.acquire(chain.request().url().uri());
        } catch (RateLimitedException denial) {
            throw new RateLimitedIOException(denial);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a permit");
        }
        if (chain.call().isCanceled()) {
            permit.cancel();
            throw new IOException("the call was cancelled while it waited for a permit");
        }
        Response response = chain.proceed(chain.request());
        permit.received(response.code(), response.headers()::values);
        return response;
    }
}
