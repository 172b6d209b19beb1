package dev.weir.server.grpc;

import dev.weir.server.net.ListeningChannel;
import io.netty.channel.Channel;

/** A server channel that guards each connection it accepts. gRPC has no other place to add a handler. */
final class GuardedServerChannel extends ListeningChannel {
    @Override
    protected void guard(Channel connection) {
        connection.pipeline().addLast(new ConnectionGuard(), new FrameGuard());
    }
}
