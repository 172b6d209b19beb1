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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server that stops: what it has accepted is answered, and clients that hang do not keep it. */
final class DrainTest extends ServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(8);

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
            WeirServer server = start(new ServerSettings().redis(redis.uri()).storeTimeout(PATIENCE), THREE_A_DAY);
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
}
