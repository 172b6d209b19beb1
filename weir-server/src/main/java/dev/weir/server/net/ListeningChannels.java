package dev.weir.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ServerChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** The server channels of a port. Each bounds its connections by the heap. Thread-safe. */
public final class ListeningChannels implements ChannelFactory<ServerChannel> {
    private final Queue<ListeningChannel> created = new ConcurrentLinkedQueue<>();
    private final Consumer<Channel> guard;

    /**
     * Creates a factory.
     *
     * @param guard is passed each connection that is accepted, before anything is read
     */
    public ListeningChannels(Consumer<Channel> guard) {
        this.guard = guard;
    }

    @Override
    public ServerChannel newChannel() {
        ListeningChannel channel = new ListeningChannel(MemoryBounds.connections(), guard);
        created.add(channel);
        return channel;
    }

    /** Closes the sockets, and waits until that is done. Not called on an event loop. */
    public void stopListening() {
        created.forEach(ListeningChannel::stopListening);
    }
}
