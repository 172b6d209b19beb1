package dev.weir.http;

import dev.weir.RateLimitedException;
import dev.weir.internal.Futures;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An {@link HttpClient} whose requests wait for a permit before they are sent. Everything else is done by another client, which is
 * not closed with this one. Thread-safe.
 *
 * <p>{@code send} and the future of {@code sendAsync} fail with a {@link RateLimitedIOException} if the wait would exceed {@link
 * OutboundLimiter.Builder#maxWait}. A thread waits in {@code send} only. {@link HttpRequest#timeout} starts when the request is
 * sent. Cancelling the future of {@code sendAsync}, or completing it in another way, cancels the reservation; after that the
 * request itself.
 *
 * <p>Each call of this client is one request for the limiter, also a retry by the caller. What the other client repeats itself
 * takes no permit: let it follow no redirects ({@link HttpClient.Redirect#NEVER}, the default), and have no {@link
 * HttpClient#authenticator}, which sends a request again after a 401. Web sockets and pushed responses need no permit.
 */
public final class RateLimitedHttpClient extends HttpClient {
    private final HttpClient client;
    private final OutboundLimiter limiter;

    private RateLimitedHttpClient(HttpClient client, OutboundLimiter limiter) {
        this.client = client;
        this.limiter = limiter;
    }

    /**
     * Returns a client that limits another one.
     *
     * @param client sends the requests
     * @param limiter limits them
     * @return the client
     */
    public static HttpClient of(HttpClient client, OutboundLimiter limiter) {
        return new RateLimitedHttpClient(
                Objects.requireNonNull(client, "client must not be null"),
                Objects.requireNonNull(limiter, "limiter must not be null"));
    }

    /**
     * Waits for a permit, then sends the request and waits for the response.
     *
     * @throws RateLimitedIOException if no permit is granted within the longest wait; the request was not sent
     */
    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        Objects.requireNonNull(handler, "handler must not be null");
        OutboundPermit permit;
        try {
            permit = limiter.acquire(request.uri());
        } catch (RateLimitedException denial) {
            throw new RateLimitedIOException(denial);
        }
        return client.send(request, learning(permit, handler));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        Objects.requireNonNull(handler, "handler must not be null");
        return whenPermitted(request, permit -> client.sendAsync(request, learning(permit, handler)));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        Objects.requireNonNull(handler, "handler must not be null");
        return whenPermitted(request, permit -> client.sendAsync(request, learning(permit, handler), pushes));
    }

    private <T> CompletableFuture<HttpResponse<T>> whenPermitted(
            HttpRequest request, Function<OutboundPermit, CompletableFuture<HttpResponse<T>>> send) {
        CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
        CompletableFuture<OutboundPermit> permitted = limiter.acquireAsync(request.uri());
        cancelWith(result, permitted);
        CompletableFuture<OutboundPermit> unused = permitted.whenComplete((permit, failure) -> {
            if (failure != null) {
                result.completeExceptionally(
                        failure instanceof RateLimitedException denial ? new RateLimitedIOException(denial) : failure);
            } else if (result.isDone()) {
                permit.cancel();
            } else {
                sendNow(permit, send, result);
            }
        });
        return result;
    }

    private static <T> void sendNow(
            OutboundPermit permit,
            Function<OutboundPermit, CompletableFuture<HttpResponse<T>>> send,
            CompletableFuture<HttpResponse<T>> result) {
        try {
            CompletableFuture<HttpResponse<T>> sent = send.apply(permit);
            cancelWith(result, sent);
            CompletableFuture<HttpResponse<T>> unused = sent.whenComplete((response, failure) -> {
                if (failure == null) {
                    result.complete(response);
                } else {
                    result.completeExceptionally(Futures.cause(failure));
                }
            });
        } catch (RuntimeException invalid) { // the request is not sent
            permit.cancel();
            result.completeExceptionally(invalid);
        } catch (Error failure) { // the request may have been sent; without this, the future stays incomplete
            result.completeExceptionally(failure);
        }
    }

    /** Cancels a step if its caller's future is completed first, in whichever way. */
    private static void cancelWith(CompletableFuture<?> result, CompletableFuture<?> step) {
        CompletableFuture<?> unused = result.whenComplete((response, failure) -> step.cancel(true));
    }

    /** Learns from the head of a response, before its body is there. */
    private static <T> BodyHandler<T> learning(OutboundPermit permit, BodyHandler<T> handler) {
        return head -> {
            permit.received(head.statusCode(), head.headers()::allValues);
            return handler.apply(head);
        };
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client.newWebSocketBuilder();
    }

    @Override
    public String toString() {
        return "RateLimitedHttpClient[" + client + "]";
    }
}
