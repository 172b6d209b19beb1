package dev.weir.http.okhttp;

import dev.weir.RateLimitedException;
import dev.weir.http.OutboundLimiter;
import dev.weir.http.OutboundPermit;
import dev.weir.http.RateLimitedIOException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * An interceptor of OkHttp, 5.4 or later, whose requests wait for a permit before they are sent. Add it with {@code
 * addNetworkInterceptor}. A call fails with a {@link RateLimitedIOException} if the wait would exceed {@link
 * OutboundLimiter.Builder#maxWait}. Cancelling a call ends its wait and cancels its reservation; so do the call's timeout and an
 * interrupt. Thread-safe.
 *
 * <p>As a network interceptor it sees what goes over the wire: each redirect and each retry of OkHttp is a request for the limiter,
 * and a response from the cache is none. The connection is there before the wait begins, so the permit is not older by the time
 * that connecting takes. The connection is held during the wait: if the server closes it meanwhile, the call fails or OkHttp retries
 * it, and its permit is used. So the longest wait should be shorter than the time for which the server keeps idle connections.
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
     * @throws RateLimitedIOException if no permit is granted within the longest wait; the request was not sent
     * @throws InterruptedIOException if the thread is interrupted while it waits; the reservation is then cancelled
     * @throws IllegalStateException if this is not a network interceptor
     */
    @Override
    public Response intercept(Chain chain) throws IOException {
        if (chain.connection() == null) {
            throw new IllegalStateException("RateLimitInterceptor must be added with addNetworkInterceptor");
        }
        OutboundPermit permit = acquire(chain);
        Response response = chain.proceed(chain.request());
        permit.received(response.code(), response.headers()::values);
        return response;
    }

    private OutboundPermit acquire(Chain chain) throws IOException {
        Call call = chain.call();
        Cancellation cancellation = new Cancellation();
        boolean interrupted = false;
        @Nullable OutboundPermit permit = null;
        call.addEventListener(cancellation);
        try {
            if (!call.isCanceled()) { // before it was listened to
                permit = limiter.acquire(chain.request().url().uri());
            }
        } catch (RateLimitedException denial) {
            throw new RateLimitedIOException(denial);
        } catch (InterruptedException interrupt) {
            interrupted = true;
        } finally {
            if (cancellation.endWait() && !interrupted) {
                Thread.interrupted(); // the interrupt came too late; the thread may do other work
            }
        }
        if (interrupted && !call.isCanceled()) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a permit");
        }
        if (permit == null || call.isCanceled()) {
            if (permit != null) {
                permit.cancel();
            }
            throw new IOException("the call was cancelled while it waited for a permit");
        }
        return permit;
    }

    /** Interrupts the thread that made it if its call is cancelled during the wait. Thread-safe. */
    private static final class Cancellation extends EventListener {
        private final Thread waiter = Thread.currentThread();
        private boolean waiting = true;
        private boolean interrupted;

        @Override
        public synchronized void canceled(Call call) {
            if (waiting) {
                interrupted = true;
                waiter.interrupt();
            }
        }

        /** Ends the wait, after which the thread is not interrupted. Returns whether it was. */
        synchronized boolean endWait() {
            waiting = false;
            return interrupted;
        }
    }
}
