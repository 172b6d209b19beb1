package dev.weir.benchmarks.server;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceImplBase;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The framework without Weir: Envoy's service on grpc-netty that gives everybody the same answer, either at once or from a later
 * task of its event loop, as a store elsewhere makes it. It waits for nothing, so it is as fast as such a handler can be.
 */
final class EmptyServer implements AutoCloseable {
    private final EventLoopGroup loops;
    private final Server server;
    private final boolean later;

    EmptyServer(boolean later) throws IOException {
        this.later = later;
        loops = new MultiThreadIoEventLoopGroup(Runtime.getRuntime().availableProcessors(), NioIoHandler.newFactory());
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .directExecutor()
                .addService(new Service())
                .build()
                .start();
    }

    int port() {
        return server.getPort();
    }

    private final class Service extends RateLimitServiceImplBase {
        private final List<StreamObserver<RateLimitResponse>> waiting = new ArrayList<>();

        @Override
        public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
            if (!later) {
                answer(observer);
                return;
            }
            boolean first;
            synchronized (waiting) {
                first = waiting.isEmpty();
                waiting.add(observer);
            }
            if (first) {
                loops.next().execute(this::answerAll);
            }
        }

        /** Answers all calls that arrived together with one task, as one script on Redis does. */
        private void answerAll() {
            List<StreamObserver<RateLimitResponse>> arrived;
            synchronized (waiting) {
                arrived = List.copyOf(waiting);
                waiting.clear();
            }
            arrived.forEach(Service::answer);
        }

        private static void answer(StreamObserver<RateLimitResponse> observer) {
            observer.onNext(RateLimitResponse.newBuilder()
                    .setOverallCode(Code.OK)
                    .addStatuses(DescriptorStatus.newBuilder().setCode(Code.OK))
                    .build());
            observer.onCompleted();
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
