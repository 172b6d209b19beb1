package dev.weir.spring;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerRequest;

/**
 * A request of WebFlux.
 *
 * @param exchange the request and its response
 * @param path its path within the application
 * @param principal who is authenticated, null if nobody is
 */
record ReactiveLimitedRequest(
        ServerWebExchange exchange, SentPath path, @Nullable Principal principal) implements LimitedRequest {
    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.authentication.AnonymousAuthenticationToken",
            ReactiveLimitedRequest.class.getClassLoader());

    /** Recognizes those whom Spring Security calls anonymous. Loaded only if it is there. */
    private static final class Anonymous {
        static boolean is(Principal principal) {
            return principal instanceof AnonymousAuthenticationToken;
        }
    }

    private static final boolean NETTY = ClassUtils.isPresent(
            "reactor.netty.http.server.HttpServerRequest", ReactiveLimitedRequest.class.getClassLoader());

    /**
     * Finds the other end of a connection of Reactor Netty, or what a balancer says of it in the PROXY protocol if the server is set to
     * read that. With server.forward-headers-strategy native, which Spring Boot chooses on Kubernetes, the remote address of a request is
     * the first one that the headers contain, whoever wrote it. Loaded only if Reactor Netty is there.
     */
    private static final class Netty {
        /** Where Reactor Netty keeps it; its public methods return it only where no header has replaced it. */
        private static final AttributeKey<InetSocketAddress> PROXY_PROTOCOL =
                AttributeKey.valueOf("remoteAddressFromProxyProtocol");

        static @Nullable InetSocketAddress peer(ServerHttpRequest request) {
            if (!(server(request) instanceof HttpServerRequest connected)) {
                return request.getRemoteAddress();
            }
            Channel channel = ((Connection) connected).channel();
            while (channel != null) { // a stream of HTTP/2 is within its connection
                InetSocketAddress client = channel.attr(PROXY_PROTOCOL).get();
                if (client != null) {
                    return client;
                }
                channel = channel.parent();
            }
            return connected.connectionRemoteAddress() instanceof InetSocketAddress address ? address : null;
        }

        private static @Nullable Object server(ServerHttpRequest request) {
            try {
                return ServerHttpRequestDecorator.getNativeRequest(request);
            } catch (IllegalArgumentException | IllegalStateException mock) {
                return null;
            }
        }
    }

    ReactiveLimitedRequest(ServerWebExchange exchange, @Nullable Principal principal) {
        this(
                exchange,
                SentPath.of(exchange.getRequest().getPath().pathWithinApplication()),
                principal == null || (SECURITY && Anonymous.is(principal)) ? null : principal);
    }

    private ServerHttpRequest request() {
        return exchange.getRequest();
    }

    @Override
    public String method() {
        return request().getMethod().name();
    }

    @Override
    public String peer() {
        InetSocketAddress address = NETTY ? Netty.peer(request()) : request().getRemoteAddress();
        return address == null || address.getAddress() == null
                ? "" // such as that of a Unix socket
                : address.getAddress().getHostAddress();
    }

    @Override
    public List<String> headers(String name) {
        return request().getHeaders().getOrEmpty(name);
    }

    @Override
    public Object source() {
        return request();
    }
}
