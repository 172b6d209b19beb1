package dev.weir.server;

import io.netty.channel.DefaultChannelPipeline;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server channel that logs in one line, at most once a minute, that it cannot accept connections, for example because the process
 * has too many open files. Netty accepts none for a second then, while they wait in the backlog, and would log a stack trace each
 * time.
 */
abstract class ListeningChannel extends NioServerSocketChannel {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");
    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final AtomicLong NEXT_LOG = new AtomicLong(System.nanoTime()); // of all channels

    @Override
    protected DefaultChannelPipeline newChannelPipeline() {
        return new Pipeline(this);
    }

    /** Receives what no handler handled; the acceptor passes on why it could not accept. */
    private static final class Pipeline extends DefaultChannelPipeline {
        Pipeline(ListeningChannel channel) {
            super(channel);
        }

        @Override
        protected void onUnhandledInboundException(Throwable cause) {
            long now = System.nanoTime();
            long next = NEXT_LOG.get();
            if (now - next >= 0 && NEXT_LOG.compareAndSet(next, now + INTERVAL_NANOS)) {
                LOG.log(Level.WARNING, "connections cannot be accepted, they wait: " + cause.getMessage());
            }
        }
    }
}
