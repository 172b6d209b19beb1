package dev.weir.server.grpc;

import dev.weir.server.net.MemoryBounds;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The event loops of the server, at most one for each processor, which gRPC and the client of Redis share: an answer of Redis is sent to
 * the client without passing through another thread. Nothing that runs on them may block.
 */
public final class EventLoops implements AutoCloseable {
    private static final long CLOSE_MILLIS = 2_000;

    private final EventLoopGroup group;
    private @Nullable DefaultClientResources forRedis;

    /**
     * Creates event loops.
     *
     * @param openCallBytes the memory that the open calls of each may take, and the open streams
     * @param openRequestBytes the memory that the calls of each may take which are not complete
     */
    public EventLoops(long openCallBytes, long openRequestBytes) {
        group =
                new MultiThreadIoEventLoopGroup(
                        MemoryBounds.eventLoops(),
                        new DefaultThreadFactory("weir-server", true),
                        NioIoHandler.newFactory(),
                        openCallBytes,
                        openRequestBytes) {
                    @Override
                    protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... arguments) {
                        // called by the super constructor
                        return new CallLoop(this, executor, io, (long) arguments[0], (long) arguments[1]);
                    }
                };
    }

    /** Returns the event loops. */
    EventLoopGroup group() {
        return group;
    }

    /** Returns the resources with which a client of Redis runs on these event loops. Called once. */
    public DefaultClientResources forRedis() {
        DefaultClientResources resources = DefaultClientResources.builder()
                .eventLoopGroupProvider(new Lent(group))
                .build();
        forRedis = resources;
        return resources;
    }

    /** Stops the threads; what runs on them must be closed already. */
    @Override
    public void close() {
        if (forRedis != null) {
            forRedis.shutdown(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
        }
        group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
    }

    /** Lends event loops to a client, which does not stop them. */
    private static final class Lent implements EventLoopGroupProvider {
        private final EventLoopGroup group;

        Lent(EventLoopGroup group) {
            this.group = group;
        }

        @Override
        @SuppressWarnings("unchecked") // the client asks for the type of its transport, NIO
        public <T extends EventLoopGroup> T allocate(Class<T> type) {
            return (T) group;
        }

        @Override
        public int threadPoolSize() {
            return MemoryBounds.eventLoops();
        }

        @Override
        public Future<Boolean> release(EventExecutorGroup released, long quietPeriod, long timeout, TimeUnit unit) {
            return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
        }

        @Override
        public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
            return release(group, quietPeriod, timeout, unit);
        }
    }
}
