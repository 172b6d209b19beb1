package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The threads on which a store runs, and which it must not block. */
final class HostThreadsTest {

    /** Gives the client the event loops of the application's server, and does not shut them down. */
    private static final class Shared implements EventLoopGroupProvider {
        private final EventLoopGroup group;
        private final EventLoopGroupProvider others = new DefaultEventLoopGroupProvider(1);

        Shared(EventLoopGroup group) {
            this.group = group;
        }

        @Override
        @SuppressWarnings("unchecked") // the client requests the type of its transport
        public <T extends EventLoopGroup> T allocate(Class<T> type) {
            return (T) group;
        }

        @Override
        public int threadPoolSize() {
            return 1;
        }

        @Override
        public Future<Boolean> release(EventExecutorGroup released, long quietPeriod, long timeout, TimeUnit unit) {
            return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
        }

        @Override
        public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
            return others.shutdown(quietPeriod, timeout, unit);
        }
    }

    @Test
    void threads_startedByAWebApplication_haveTheClassLoaderOfWeir() throws Exception {
        Thread caller = Thread.currentThread();
        ClassLoader usual = caller.getContextClassLoader();
        try (RedisServer server = RedisServer.start();
                URLClassLoader webApplication = new URLClassLoader(new URL[0])) {
            caller.setContextClassLoader(webApplication);
            try (RedisStore store = RedisStore.connect(server.uri())) {
                RateLimiter limiter = RateLimiter.builder()
                        .name("test")
                        .limit("1/1h")
                        .store(store)
                        .build();
                limiter.tryAcquire("key");

                assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> thread.getName().equals("weir-redis-timer"))
                        .isNotEmpty()
                        .noneMatch(thread -> thread.getContextClassLoader() == webApplication);
            }
        } finally {
            caller.setContextClassLoader(usual);
        }
    }

    @Test
    void clientResources_ofTheHost_answersCompleteOnItsEventLoop() throws Exception {
        ThreadFactory threads = task -> new Thread(task, "host-loop");
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory());
        DefaultClientResources resources = DefaultClientResources.builder()
                .eventLoopGroupProvider(new Shared(group))
                .build();
        try (RedisServer server = RedisServer.start();
                RedisStore store = RedisStore.builder(server.uri())
                        .timeout(Duration.ofSeconds(20))
                        .clientResources(resources)
                        .connect()) {
            RateLimiter limiter = RateLimiter.builder()
                    .name("test")
                    .limit("100000/1h")
                    .store(store)
                    .executor(Runnable::run)
                    .build();
            CompletableFuture<String> thread = new CompletableFuture<>();
            group.execute(() -> {
                var unused = limiter.tryAcquireAsync("key")
                        .whenComplete((decision, failure) ->
                                thread.complete(Thread.currentThread().getName() + " " + decision.degraded()));
            });
            assertThat(thread.get(20, TimeUnit.SECONDS)).isEqualTo("host-loop false");
        } finally {
            assertThat(group.isShuttingDown()).isFalse();
            resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    @Test
    void close_whileTheClientConnects_leavesNoConnection() throws Exception {
        try (ServerSocketChannel silent = ServerSocketChannel.open()) {
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
            silent.configureBlocking(false);
            String uri = "redis://127.0.0.1:" + silent.socket().getLocalPort();
            for (int i = 0; i < 20; i++) {
                DefaultClientResources resources = DefaultClientResources.create();
                RedisClient client = RedisClient.create(resources);
                var unused = client.connectAsync(ByteArrayCodec.INSTANCE, RedisURI.create(uri));
                RedisConnection.close(null, client, List.of(resources));
            }

            for (SocketChannel peer = silent.accept(); peer != null; peer = silent.accept()) {
                peer.configureBlocking(false);
                try (SocketChannel connection = peer) {
                    Await.until("the connection is closed", () -> isClosed(connection));
                }
            }
        }
    }

    private static boolean isClosed(SocketChannel connection) {
        try {
            return connection.read(ByteBuffer.allocate(1_000)) < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void connectAsync_serverIsSilent_doesNotBlock() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<RedisStore> connecting = RedisStore.builder("redis://127.0.0.1:" + silent.getLocalPort())
                    .timeout(Duration.ofSeconds(3))
                    .connectAsync();
            assertThat(connecting).isNotDone();
            try (RedisStore store = connecting.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                assertThat(store.timeSource()).isNotNull();
            }
        }
    }
}
