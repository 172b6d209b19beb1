package dev.weir.server.grpc;

import dev.weir.server.decision.ServerMetrics;
import dev.weir.server.net.ListeningChannels;
import dev.weir.server.net.SocketSettings;
import dev.weir.server.net.StopDeadline;
import dev.weir.server.net.TlsMaterial;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The gRPC side of the server: Envoy's service, health and reflection. Thread-safe. */
public final class GrpcServer implements AutoCloseable {
    private static final int MAX_MESSAGE_BYTES = 64 << 10;
    private static final int MAX_CALLS_PER_CONNECTION = 1_000;
    private static final int WINDOW_BYTES = 128 << 10; // of a connection
    private static final long LEAST_PING_SECONDS = 5;
    private static final int MAX_RESETS_PER_SECOND = 10_000; // Envoy resets each call that it does not wait for
    private static final String RATE_LIMIT = "ratelimit"; // the name that envoyproxy/ratelimit has in health checks
    private static final long DRAIN_SECONDS = 10;

    /** Connections of an event loop take turns, each with about 300 calls at most, so that one with many delays others little. */
    private static final RecvByteBufAllocator READS =
            new AdaptiveRecvByteBufAllocator(64, 2 << 10, 16 << 10).maxMessagesPerRead(1);

    private final HealthStatusManager health = new HealthStatusManager();
    private final ListeningChannels listening =
            new ListeningChannels(connection -> connection.pipeline().addLast(new ConnectionGuard(), new FrameGuard()));
    private final EventLoopGroup loops;
    private final Server server;
    private final @Nullable ReplaceableSslContext tls;

    private GrpcServer(
            SocketSettings settings,
            @Nullable TlsMaterial material,
            EnvoyService service,
            EventLoops loops,
            ServerMetrics metrics)
            throws IOException {
        this.loops = loops.group();
        health.setStatus(RATE_LIMIT, ServingStatus.SERVING);
        CallGuard guard =
                new CallGuard(loops.group(), MAX_CALLS_PER_CONNECTION, WINDOW_BYTES, settings.requestMillis());
        NettyServerBuilder builder = NettyServerBuilder.forAddress(settings.address())
                .channelFactory(listening)
                .bossEventLoopGroup(loops.group())
                .workerEventLoopGroup(loops.group())
                .withChildOption(ChannelOption.RECVBUF_ALLOCATOR, READS)
                .flowControlWindow(WINDOW_BYTES)
                .directExecutor()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
                .handshakeTimeout(settings.requestMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTime(settings.keepAliveMillis(), TimeUnit.MILLISECONDS) // then the client must answer a ping
                .keepAliveTimeout(settings.requestMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(LEAST_PING_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxRstFramesPerWindow(MAX_RESETS_PER_SECOND, 1)
                .addStreamTracerFactory(new CallBytes.Factory())
                .addStreamTracerFactory(new CallTimer.Factory(metrics))
                .addTransportFilter(guard)
                .intercept(guard)
                .addService(MessageGuard.guard(service))
                .addService(MessageGuard.guard(health.getHealthService()))
                .addService(MessageGuard.guard(ProtoReflectionServiceV1.newInstance()));
        tls = material == null ? null : new ReplaceableSslContext(material.forGrpc());
        if (tls != null) {
            builder.sslContext(tls);
        }
        server = builder.build();
    }

    /**
     * Starts listening.
     *
     * @param material the certificates, or null for plain text
     * @throws IOException if the address or the certificates cannot be used
     */
    public static GrpcServer start(
            SocketSettings settings,
            @Nullable TlsMaterial material,
            EnvoyService service,
            EventLoops loops,
            ServerMetrics metrics)
            throws IOException {
        GrpcServer started = new GrpcServer(settings, material, service, loops, metrics);
        try {
            started.server.start();
            return started;
        } catch (IOException failure) {
            throw settings.cannotListen(failure);
        }
    }

    public int port() {
        return server.getPort();
    }

    /** Gives new connections other certificates. */
    public void replace(TlsMaterial material) throws IOException {
        Objects.requireNonNull(tls, "a server in plain text has no certificates")
                .replace(material.forGrpc());
    }

    /** Reports to health checks that the server stops, accepts no more calls, and ends those that last: health watches. */
    public void stopAccepting() {
        if (!server.isShutdown()) { // the health service warns of a second time
            health.enterTerminalState();
            stopListening();
            server.shutdown();
            loops.forEach(loop -> ((CallLoop) loop).endStreams());
        }
    }

    /** Closes the socket. A connection that gRPC does not know when it shuts down would be closed without an answer. */
    private void stopListening() {
        listening.stopListening();
        StopDeadline deadline = new StopDeadline();
        for (EventExecutor loop : loops) { // which has a task for each connection that is accepted and not known yet
            deadline.await(loop.submit(() -> {}));
        }
    }

    /** Accepts no more calls, and waits for those that are open. */
    @Override
    public void close() {
        stopAccepting();
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
