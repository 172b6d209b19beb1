package dev.weir.server.net;

import dev.weir.internal.OccasionalLog;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.DefaultChannelPipeline;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A server channel that bounds the connections that are open: it closes those beyond, before anything is kept for them. It logs in one
 * line, at most once a minute, that it cannot accept connections, for example because the process has too many open files. Netty
 * accepts none for a second then, while they wait in the backlog, and would log a stack trace each time.
 */
final class ListeningChannel extends NioServerSocketChannel {
    private static final OccasionalLog LOG = new OccasionalLog("dev.weir.server"); // of all channels

    private final AtomicInteger open = new AtomicInteger();
    private final OccasionalLog refusals = new OccasionalLog("dev.weir.server");
    private final int maxOpen;
    private final Consumer<Channel> guard;

    /**
     * Creates a channel.
     *
     * @param maxOpen the most connections that are open
     * @param guard is passed each connection that is accepted, before anything is read
     */
    ListeningChannel(int maxOpen, Consumer<Channel> guard) {
        this.maxOpen = maxOpen;
        this.guard = guard;
    }

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        int result = super.doReadMessages(accepted);
        if (result > 0) { // one connection, the last
            Channel connection = (Channel) accepted.get(accepted.size() - 1);
            ChannelFuture closed = connection.closeFuture();
            if (open.get() < maxOpen) {
                open.incrementAndGet();
                ChannelFuture unused = closed.addListener(ended -> open.decrementAndGet());
                guard.accept(connection);
            } else {
                refusals.warn("a connection is refused, because " + maxOpen + " are open", null);
                accepted.remove(accepted.size() - 1);
                connection.unsafe().closeForcibly();
            }
        }
        return result;
    }

    /**
     * Closes the socket, and waits until that is done, for a bounded time if something blocks the event loop. Not called on that. The JDK
     * closes a socket that is registered only when the event loop selects again, and the kernel would reset what it takes into the
     * backlog until then.
     */
    void stopListening() {
        StopDeadline deadline = new StopDeadline();
        boolean runs = deadline.await(deregister());
        while (runs && javaChannel().isRegistered()) {
            runs = deadline.await(eventLoop().submit(() -> {}));
        }
        deadline.await(close());
    }

    /** Accepts what waits in the backlog first, because the kernel would reset it. */
    @Override
    protected void doClose() throws Exception {
        List<Object> accepted = new ArrayList<>();
        try {
            while (isActive() && doReadMessages(accepted) > 0) {} // one connection at a time
        } finally {
            super.doClose();
            accepted.forEach(pipeline()::fireChannelRead);
        }
    }

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
