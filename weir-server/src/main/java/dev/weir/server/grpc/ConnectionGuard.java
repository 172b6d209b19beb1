package dev.weir.server.grpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Guards the server against one connection: it is not read while the client does not read what is sent to it, and closed if that
 * lasts for 5 s, so that answers do not pile up in memory. Runs on its event loop, which sends answers between two connections.
 */
final class ConnectionGuard extends ChannelInboundHandlerAdapter {
    private static final long TIMEOUT_SECONDS = 5;

    private @Nullable ScheduledFuture<?> closing;

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        stopClosing();
        super.channelInactive(context);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        super.channelReadComplete(context);
        ((CallLoop) context.channel().eventLoop()).readComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        Channel channel = context.channel();
        channel.config().setAutoRead(channel.isWritable());
        stopClosing();
        if (!channel.isWritable()) {
            closing = context.executor().schedule(() -> close(context), TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
        super.channelWritabilityChanged(context);
    }

    private static void close(ChannelHandlerContext context) {
        ChannelFuture unused = context.close();
    }

    private void stopClosing() {
        if (closing != null) {
            closing.cancel(false);
            closing = null;
        }
    }
}
