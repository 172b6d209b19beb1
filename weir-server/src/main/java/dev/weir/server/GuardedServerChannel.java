package dev.weir.server;

import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A server channel that guards each connection it accepts. gRPC has no other place to add a handler. */
final class GuardedServerChannel extends ListeningChannel {
    private final AtomicInteger connections = new AtomicInteger();

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        int first = accepted.size();
        int result = super.doReadMessages(accepted);
        for (int i = first; i < accepted.size(); i++) {
            if (accepted.get(i) instanceof Channel connection) {
                connection.pipeline().addLast(new ConnectionGuard(connections), new FrameGuard());
            }
        }
        return result;
    }
}
