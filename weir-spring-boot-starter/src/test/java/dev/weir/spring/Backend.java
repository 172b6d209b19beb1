package dev.weir.spring;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** A server that answers every request, and gateways in front of it. */
final class Backend implements AutoCloseable {
    static final String LIMITS = """
            weir:
              limits:
                minute: {limit: 1/1m}
                day: {limit: 2/1d}
                shadow: {limit: 1/1m, shadow: true}
            """;

    private final AtomicInteger calls = new AtomicInteger();
    private final HttpServer server;

    @Configuration(proxyBeanMethods = false)
    static class Keys {
        @Bean
        KeyResolver apiKey() {
            return exchange ->
                    Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Api-Key"));
        }
    }

    Backend() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            calls.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    /** Returns the number of requests that reached it. */
    int calls() {
        return calls.get();
    }

    /** Starts a gateway with these limits and routes; its keys are in the header X-Api-Key. */
    static RunningApplication startGateway(String limits, String... routes) {
        String yaml = limits
                + "spring.cloud.gateway.server.webflux:\n  enabled: true\n  redis.enabled: true\n  routes:\n"
                + String.join("", routes);
        return RunningApplication.startReactive(yaml, Keys.class);
    }

    /** Returns a route of its id as path, with these arguments of RequestRateLimiter. */
    String route(String id, String... arguments) {
        return """
                  - id: %s
                    uri: http://127.0.0.1:%s
                    predicates: ["Path=/%s"]
                    filters: [{name: RequestRateLimiter, args: {%s}}]
                """.formatted(id, server.getAddress().getPort(), id, String.join(", ", arguments));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
