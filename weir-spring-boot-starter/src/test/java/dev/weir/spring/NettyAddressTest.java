package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.AttributeKey;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;

/** The address of a client where Reactor Netty or Spring takes it from headers, as on Kubernetes. */
class NettyAddressTest {
    private static RunningApplication start(String strategy, String properties, Class<?>... configurations) {
        return RunningApplication.startReactive("""
                server.forward-headers-strategy: %s
                weir:
                  limits:
                    ip: {limit: 1/1h, path: /**}
                """.formatted(strategy) + properties, configurations);
    }

    private static int status(RunningApplication application, String forwardedFor) throws Exception {
        return application.status(application.request("/ip").header("X-Forwarded-For", forwardedFor));
    }

    @ParameterizedTest
    @CsvSource({"native", "framework"})
    void peer_forgedInXForwardedFor_isTheConnection(String strategy) throws Exception {
        try (RunningApplication application = start(strategy, "")) {
            assertThat(status(application, "203.0.113.1")).isNotEqualTo(429);
            assertThat(status(application, "203.0.113.2")).isEqualTo(429);
        }
    }

    /** Sets what Reactor Netty sets when it reads the PROXY protocol, for which it needs another codec of Netty: one client in two. */
    @Configuration(proxyBeanMethods = false)
    static class Balancer {
        private static final String ATTRIBUTE = "remoteAddressFromProxyProtocol";

        @Bean
        NettyServerCustomizer clients() {
            AtomicInteger connections = new AtomicInteger();
            return server -> server.doOnChannelInit((observer, channel, balancer) -> channel.attr(
                            AttributeKey.<InetSocketAddress>valueOf(ATTRIBUTE))
                    .set(new InetSocketAddress("198.51.100." + connections.incrementAndGet() / 2, 7)));
        }
    }

    @ParameterizedTest
    @CsvSource({"none", "native"})
    void peer_inTheProxyProtocol_isTheClient(String strategy) throws Exception {
        try (RunningApplication application = start(strategy, "", Balancer.class)) {
            List<Integer> statuses = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                HttpClient client = HttpClient.newHttpClient(); // with a connection of its own
                statuses.add(client.send(
                                application
                                        .request("/ip")
                                        .version(HttpClient.Version.HTTP_1_1)
                                        .header("X-Forwarded-For", "203.0.113." + i)
                                        .build(),
                                BodyHandlers.discarding())
                        .statusCode());
            }

            assertThat(statuses).containsExactly(404, 404, 429);
        }
    }

    /** The channel of a stream of HTTP/3 has no address of a client, and its connection is no channel of sockets. */
    @Test
    void peer_ofAChannelWithoutAddress_isThatOfTheConnection() {
        EmbeddedChannel channel = new EmbeddedChannel();
        InetSocketAddress client = new InetSocketAddress("198.51.100.7", 7);
        Object server = Proxy.newProxyInstance(
                HttpServerRequest.class.getClassLoader(),
                new Class<?>[] {HttpServerRequest.class, Connection.class},
                (proxy, called, arguments) -> called.getName().equals("channel") ? channel : client);
        ServerHttpRequest request =
                new AbstractServerHttpRequest(HttpMethod.GET, URI.create("/"), "", new HttpHeaders()) {
                    @Override
                    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Spring declares it
                    public <T> T getNativeRequest() {
                        return (T) server;
                    }

                    @Override
                    public InetSocketAddress getRemoteAddress() {
                        return new InetSocketAddress("203.0.113.1", 1); // of a header
                    }

                    @Override
                    public Flux<DataBuffer> getBody() {
                        return Flux.empty();
                    }

                    @Override
                    protected MultiValueMap<String, HttpCookie> initCookies() {
                        return new LinkedMultiValueMap<>();
                    }

                    @Override
                    protected @Nullable SslInfo initSslInfo() {
                        return null;
                    }
                };
        ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"))
                .mutate()
                .request(request)
                .build();

        assertThat(new ReactiveLimitedRequest(exchange, null).peer()).isEqualTo("198.51.100.7");
    }

    @Test
    void attributeOfTheProxyProtocol_isThatOfReactorNetty() throws Exception {
        try (InputStream reader =
                HttpServer.class.getResourceAsStream("/reactor/netty/http/server/HAProxyMessageReader.class")) {
            assertThat(new String(Objects.requireNonNull(reader).readAllBytes(), StandardCharsets.ISO_8859_1))
                    .contains(Balancer.ATTRIBUTE);
        }
    }

    @Test
    void client_forgedBeforeThatOfTheProxy_isThatOfTheProxy() throws Exception {
        try (RunningApplication application =
                start("native", "  client-address: {header: x-forwarded-for, trusted-proxies: 127.0.0.0/8}\n")) {
            assertThat(status(application, "203.0.113.1, 198.51.100.7")).isNotEqualTo(429);
            assertThat(status(application, "203.0.113.2, 198.51.100.7")).isEqualTo(429);
            assertThat(status(application, "203.0.113.2, 198.51.100.8"))
                    .as("another client")
                    .isNotEqualTo(429);
        }
    }
}
