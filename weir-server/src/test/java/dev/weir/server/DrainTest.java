package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.Metadata;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that stops: accepted requests are answered, and clients that hang do not delay it. */
final class DrainTest extends ServerTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)\r\n");

    private boolean refuses(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return !socket.isConnected();
        } catch (ConnectException refused) {
            return true;
        } catch (IOException other) {
            return false;
        }
    }

    @Test
    void close_requestsInFlight_areAnswered() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            WeirServer server = start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT), THREE_A_DAY);
            assertThat(envoy().brief("d", "k=v")).isEqualTo("OK: OK 2");
            assertThat(decide("{\"key\":\"v\",\"policy\":\"api\"}").statusCode())
                    .isEqualTo(200);
            redis.pause();
            ListenableFuture<RateLimitResponse> grpc = RateLimitServiceGrpc.newFutureStub(envoy().channel())
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .shouldRateLimit(EnvoyClient.request("d", "k=v").build());
            CompletableFuture<HttpResponse<String>> http =
                    CompletableFuture.supplyAsync(() -> decide("{\"key\":\"v\",\"policy\":\"api\"}"));
            Await.until(() -> get("/metrics").body().contains("\nweir_store_calls{store=\"server\"} 2.0\n"));
            int[] ports = {server.port(), server.grpcPort()};

            CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
            Await.until(() -> refuses(ports[0]) && refuses(ports[1]));
            redis.resume();

            assertThat(EnvoyClient.brief(grpc.get(60, TimeUnit.SECONDS))).isEqualTo("OK: OK 1");
            assertThat(http.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            closing.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void close_clientsHang_ends() throws Exception {
        WeirServer server = start(THREE_A_DAY);
        assertThat(envoy().brief("d", "k=v")).isEqualTo("OK: OK 2");
        ClientCall<RateLimitRequest, RateLimitResponse> held = envoy().channel()
                .newCall(
                        RateLimitServiceGrpc.getShouldRateLimitMethod(),
                        CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
        int[] ports = {server.port(), server.grpcPort()};
        held.start(new ClientCall.Listener<>() {}, new Metadata()); // and no message
        try (Socket half = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            half.getOutputStream().write("POST /v1/decide HTTP/1.1\r\nHost: loc".getBytes(StandardCharsets.US_ASCII));
            assertThat(envoy().channel().getState(false)).isEqualTo(ConnectivityState.READY);

            CompletableFuture.runAsync(server::close).get(60, TimeUnit.SECONDS);

            assertThat(refuses(ports[0])).isTrue();
            assertThat(refuses(ports[1])).isTrue();
        }
        held.cancel("the test is over", null);
    }

    /** Sends a request on each connection after the server has begun to stop; all are answered, with the notice, and closed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void close_keepAliveClients_getTheirLastAnswer(int clients) throws Exception {
        ServerSettings settings = new ServerSettings();
        settings.stopGraceMillis = 60_000; // far more than the requests need: nothing here depends on time
        WeirServer server = start(settings, THREE_A_DAY);
        int port = server.port();
        List<Socket> connections = new ArrayList<>();
        try {
            for (int i = 0; i < clients; i++) {
                Socket connection = new Socket(InetAddress.getLoopbackAddress(), port);
                connection.setSoTimeout(60_000);
                connections.add(connection);
                send(connection);
                assertThat(head(connection)).startsWith("HTTP/1.1 200 OK").doesNotContain("close");
            }

            CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
            Await.until(() -> refuses(port));
            assertThat(closing).isNotDone();
            for (Socket connection : connections) {
                send(connection);
            }
            for (Socket connection : connections) {
                assertThat(new String(connection.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 200 OK")
                        .containsIgnoringCase("\r\nconnection: close\r\n");
            }
            closing.get(30, TimeUnit.SECONDS); // once all connections are closed
        } finally {
            for (Socket connection : connections) {
                connection.close();
            }
        }
    }

    /** The answer to the first has the notice, so that a client sends the others again, elsewhere: here they must take nothing. */
    @Test
    void close_pipelinedRequests_onlyTheFirstIsDecided() throws Exception {
        String limits = "policies: {api: 1000/1d}";
        String request = "GET /v1/auth?policy=api&key=v HTTP/1.1\r\nHost: localhost\r\n\r\n";
        List<Socket> connections = new ArrayList<>();
        try (RedisServer redis = RedisServer.start()) {
            ServerSettings settings = new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT);
            settings.stopGraceMillis = 60_000;
            WeirServer server = start(settings, limits);
            int port = server.port();
            for (int i = 0; i < 20; i++) {
                Socket connection = new Socket(InetAddress.getLoopbackAddress(), port);
                connection.setSoTimeout(60_000);
                connections.add(connection);
                send(connection);
                head(connection);
            }
            CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
            Await.until(() -> refuses(port));
            for (Socket connection : connections) {
                connection.getOutputStream().write(request.repeat(3).getBytes(StandardCharsets.US_ASCII));
            }
            for (Socket connection : connections) {
                assertThat(new String(connection.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .containsOnlyOnce("HTTP/1.1 200 OK");
            }
            closing.get(30, TimeUnit.SECONDS);

            start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT), limits);
            assertThat(json(get("/v1/auth?policy=api&key=v")).getInteger("remaining"))
                    .isEqualTo(1000 - 20 - 1);
        } finally {
            for (Socket connection : connections) {
                connection.close();
            }
        }
    }

    private static void send(Socket connection) throws IOException {
        connection
                .getOutputStream()
                .write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads a response to a probe, and returns it. */
    private static String head(Socket connection) throws IOException {
        StringBuilder response = new StringBuilder();
        while (response.indexOf("\r\n\r\n") < 0) {
            response.append((char) connection.getInputStream().read());
        }
        Matcher length = LENGTH.matcher(response);
        assertThat(length.find()).isTrue();
        connection.getInputStream().readNBytes(Integer.parseInt(length.group(1)));
        return response.toString();
    }

    @Test
    void close_idleClients_areClosedAfterTheGrace() throws Exception {
        WeirServer server = start(THREE_A_DAY);
        try (Socket idle = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            idle.setSoTimeout(60_000);
            send(idle);
            head(idle);

            CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);

            assertThat(idle.getInputStream().read()).isEqualTo(-1);
            closing.get(60, TimeUnit.SECONDS);
        }
    }
}
