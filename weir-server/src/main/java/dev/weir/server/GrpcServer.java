package dev.weir.server;

import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The gRPC side of the server: Envoy's service, health and reflection. Thread-safe. */
final class GrpcServer implements AutoCloseable {
    private static final int MAX_MESSAGE_BYTES = 64 << 10;
    private static final int MAX_CALLS_PER_CONNECTION = 1_000;
    private static final long LEAST_PING_SECONDS = 5;
    private static final int MAX_RESETS_PER_SECOND = 10_000; // Envoy resets each call that it does not wait for
    private static final String RATE_LIMIT = "ratelimit"; // the name that envoyproxy/ratelimit has in health checks
    private static final long DRAIN_SECONDS = 10;

    private final HealthStatusManager health = new HealthStatusManager();
    private final Server server;

    private GrpcServer(ServerSettings settings, EnvoyService service, EventLoops loops) throws IOException {
        health.setStatus(RATE_LIMIT, ServingStatus.SERVING);
        CallGuard guard = new CallGuard(loops.group(), MAX_CALLS_PER_CONNECTION);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(settings.host, settings.grpcPort))
                .channelFactory(GuardedServerChannel::new)
                .bossEventLoopGroup(loops.group())
                .workerEventLoopGroup(loops.group())
                .directExecutor()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
                .permitKeepAliveTime(LEAST_PING_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxRstFramesPerWindow(MAX_RESETS_PER_SECOND, 1)
                .addTransportFilter(guard)
                .intercept(guard)
                .addService(service)
                .addService(health.getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance());
        if (settings.tls != null) {
            builder.sslContext(settings.tls.forGrpc());
        }
        server = builder.build();
    }

    /**
     * Starts listening.
     *
     * @throws IOException if the address or the files of TLS cannot be used
     */
    static GrpcServer start(ServerSettings settings, EnvoyService service, EventLoops loops) throws IOException {
        GrpcServer started = new GrpcServer(settings, service, loops);
        started.server.start();
        return started;
    }

    int port() {
        return server.getPort();
    }

    /** Reports to health checks that the server stops, accepts no more calls, and waits for those that are open. */
    @Override
    public void close() {
        health.enterTerminalState();
        server.shutdown();
        try {
            if (!server.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
