package dev.weir.server;

import dev.weir.internal.OccasionalLog;
import io.netty.channel.DefaultChannelPipeline;
import io.netty.channel.socket.nio.NioServerSocketChannel;

/**
 * A server channel that logs in one line, at most once a minute, that it cannot accept connections, for example because the process
 * has too many open files. Netty accepts none for a second then, while they wait in the backlog, and would log a stack trace each
 * time.
 */
abstract class ListeningChannel extends NioServerSocketChannel {
    private static final OccasionalLog LOG = new OccasionalLog("dev.weir.server"); // of all channels

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
            LOG.warn("connections cannot be accepted, they wait: " + cause.getMessage(), null);
        }
    }
}
