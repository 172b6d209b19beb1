package dev.weir.server;

import static dev.weir.server.EnvoyClient.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.RateLimiter;
import dev.weir.redis.RedisStore;
import dev.weir.server.decision.ServerMetrics;
import dev.weir.server.grpc.EnvoyService;
import dev.weir.server.grpc.EventLoops;
import dev.weir.server.grpc.GrpcServer;
import dev.weir.server.net.AnyPort;
import dev.weir.server.net.MemoryBounds;
import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import dev.weir.testing.RedisServer;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The services of the gRPC server beside Envoy's, and its bounds. */
final class GrpcServerTest extends ServerTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String RULES = """
            domain: d
            descriptors:
              - key: k
                rate_limit: {unit: day, requests_per_unit: 3}
            """;

    @ParameterizedTest
    @ValueSource(strings = {"", "ratelimit"})
    void health_isServing(String service) throws IOException {
        start(RULES);

        assertThat(HealthGrpc.newBlockingStub(envoy().channel())
                        .check(HealthCheckRequest.newBuilder()
                                .setService(service)
                                .build())
                        .getStatus())
                .isEqualTo(ServingStatus.SERVING);
    }

    @Test
    void reflection_namesTheService() throws Exception {
        start(RULES);
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(envoy().channel())
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse response) {
                        answer.complete(response);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        answer.completeExceptionally(new AssertionError("no answer"));
                    }
                });
        requests.onNext(
                ServerReflectionRequest.newBuilder().setListServices("*").build());

        assertThat(answer.get(10, TimeUnit.SECONDS).getListServicesResponse().getServiceList())
                .extracting(ServiceResponse::getName)
                .contains("envoy.service.ratelimit.v3.RateLimitService", "grpc.health.v1.Health");
        requests.onCompleted();
    }

    @Test
    void request_tooLarge_isRefused() throws IOException {
        start(RULES);

        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> envoy().send("d", "k=" + "v".repeat(70_000)));
        assertThat(envoy().brief("d", "k=v")).isEqualTo("OK: OK 2");
    }

    @Test
    void failureOfTheServer_isLoggedAndInternal() throws IOException {
        EnvoyService broken = new EnvoyService(
                request -> {
                    throw new IllegalStateException("a fault");
                },
                false);
        try (EventLoops loops = new EventLoops(MemoryBounds.openCallBytes(), MemoryBounds.openRequestBytes());
                ServerMetrics metrics = new ServerMetrics();
                GrpcServer grpc = GrpcServer.start(AnyPort.settings(), null, broken, loops, metrics);
                EnvoyClient client = new EnvoyClient(grpc.port());
                LogLines log = new LogLines("")) {
            assertThatThrownBy(() -> client.send("d", "k=v"))
                    .hasMessage("INTERNAL: the server failed; its log says why");
            assertThat(log.lines()).containsExactly("SEVERE a request failed java.lang.IllegalStateException: a fault");
        }
    }

    @Test
    void redis_keepsTheState() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT), RULES);
            assertThat(envoy().allowed("d", "k=v")).isEqualTo(3);
            stop();

            start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT), RULES);
            assertThat(envoy().brief("d", "k=v")).isEqualTo("OVER_LIMIT: OVER_LIMIT 0");
            assertThat(envoy().brief("d", "k=v", "k=w")).isEqualTo("OVER_LIMIT: OVER_LIMIT 0, OK 3");
        }
    }

    @Test
    void redis_manyDescriptors_areOneScript() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT), RULES);
            assertThat(envoy().brief("d", "k=a", "k=b")).isEqualTo("OK: OK 2, OK 2"); // the script is known from now on
            long before = redis.calls("evalsha");

            for (int i = 0; i < 10; i++) {
                envoy().send("d", "k=a" + i, "k=b" + i, "k=c" + i);
            }

            assertThat(redis.calls("evalsha") - before).isEqualTo(10);
        }
    }

    @Test
    void redis_isAway_policyIsNone_unavailable() throws IOException {
        int port = RedisServer.freePort();
        start(new ServerSettings().redis("redis://127.0.0.1:" + port).whenStoreFails(null), RULES);

        assertThatThrownBy(() -> envoy().send("d", "k=v"))
                .isInstanceOf(StatusRuntimeException.class)
                .extracting(failure ->
                        ((StatusRuntimeException) failure).getStatus().getCode())
                .isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(envoy().brief("d", "unknown=v")).isEqualTo("OK: OK 0");
    }

    @Test
    void client_doesNotWait_permitIsRefunded() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT), RULES);
            assertThat(envoy().brief("d", "k=v")).isEqualTo("OK: OK 2");

            redis.pause();
            Await.until("a call that the server has received times out", () -> {
                assertThatThrownBy(() -> RateLimitServiceGrpc.newBlockingStub(envoy().channel())
                                .withDeadlineAfter(2, TimeUnit.SECONDS)
                                .shouldRateLimit(request("d", "k=v").build()))
                        .isInstanceOf(StatusRuntimeException.class);
                return get("/metrics").body().contains("\nweir_store_calls{store=\"server\"} 1.0\n");
            });
            redis.resume();

            assertThat(envoy().brief("d", "k=other")).isEqualTo("OK: OK 2"); // after the late answer
            Await.until(
                    "the condition",
                    () -> json(get("/v1/keys/k=v?domain=d"))
                                    .getJsonObject("next")
                                    .getInteger("remaining")
                            == 2);
            assertThat(get("/metrics").body()).contains("\nweir_refunds_permits_total{limiter=\"envoy\"} 1.0\n");
        }
    }

    @Test
    void library_withTheKeyOfADescriptor_sharesItsState() throws Exception {
        try (RedisServer redis = RedisServer.start();
                RedisStore store =
                        RedisStore.builder(redis.uri()).timeout(TIMEOUT).connect()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT), RULES);
            RateLimiter limiter = RateLimiter.builder()
                    .name("envoy")
                    .limit("3/1d")
                    .store(store)
                    .build();
            assertThat(envoy().brief("d", "k=a\\,b")).isEqualTo("OK: OK 2");

            assertThat(limiter.tryAcquire("d,k=a\\,b").remaining()).isEqualTo(1);
            assertThat(envoy().brief("d", "k=a\\,b")).isEqualTo("OK: OK 0");
            assertThat(limiter.tryAcquire("d,k=a\\,b").allowed()).isFalse();
        }
    }

    @Test
    void hashedKeys_areNotOnRedis() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            start(new ServerSettings().redis(redis.uri()).storeTimeout(TIMEOUT).hashKeys("secret"), RULES);
            assertThat(envoy().brief("d", "k=personal")).isEqualTo("OK: OK 2");

            assertThat(redis.command("KEYS", "*").toString()).contains("weir:").doesNotContain("personal");
        }
    }

    @Test
    void close_openConnection_endsAndRefusesCalls() throws IOException {
        WeirServer server = start(RULES);
        assertThat(envoy().brief("d", "k=v")).isEqualTo("OK: OK 2");

        server.close();

        assertThatThrownBy(() -> envoy().send(request("d", "k=v").build())).isInstanceOf(StatusRuntimeException.class);
    }

    @Test
    void close_healthWatch_isNotifiedAndEnded() throws Exception {
        start(RULES);
        Iterator<HealthCheckResponse> watch = HealthGrpc.newBlockingStub(envoy().channel())
                .watch(HealthCheckRequest.newBuilder().setService("ratelimit").build());
        assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.SERVING);

        server().close();

        assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
        assertThatThrownBy(watch::hasNext).hasMessage("UNAVAILABLE: the server stops");
    }

    @Test
    void start_portInUse_isRefused() throws IOException {
        WeirServer server = start(RULES);

        assertThatThrownBy(() -> WeirServer.start(new ServerSettings().grpcPort(server.grpcPort())))
                .isInstanceOf(IOException.class);
    }
}
