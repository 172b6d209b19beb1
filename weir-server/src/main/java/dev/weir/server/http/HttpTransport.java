package dev.weir.server.http;

import dev.weir.server.net.ListeningChannels;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.spi.transport.Transport;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The NIO transport of Vert.x, which can stop listening and leave the connections open, where Vert.x itself closes those without a
 * request at the same time; and which can close a connection whose client does not read. Thread-safe.
 */
final class HttpTransport implements io.vertx.core.transport.Transport, Transport {
    /**
     * Connections of an event loop take turns, each with about 100 requests at most. What is read is also decoded, and takes ten times
     * its bytes while a client does not read its answers.
     */
    static final RecvByteBufAllocator READS =
            new AdaptiveRecvByteBufAllocator(64, 2 << 10, 2 << 10).maxMessagesPerRead(1);

    private static final WriteBufferWaterMark UNREAD_ANSWERS = new WriteBufferWaterMark(4 << 10, 8 << 10);

    private final Transport nio = NIO.implementation();
    private final ListeningChannels listening = new ListeningChannels(this::accepted);
    private final Map<Ends, Channel> connections = new ConcurrentHashMap<>();

    /** The addresses of a connection. No other open connection has the same, and Vert.x knows them, too. */
    private record Ends(String localHost, int localPort, String remoteHost, int remotePort) {
        static Ends of(Channel connection) {
            InetSocketAddress local = (InetSocketAddress) connection.localAddress();
            InetSocketAddress remote = (InetSocketAddress) connection.remoteAddress();
            return new Ends(
                    local.getAddress().getHostAddress(),
                    local.getPort(),
                    remote.getAddress().getHostAddress(),
                    remote.getPort());
        }

        static Ends of(HttpConnection connection) {
            SocketAddress local = connection.localAddress();
            SocketAddress remote = connection.remoteAddress();
            return new Ends(local.hostAddress(), local.port(), remote.hostAddress(), remote.port());
        }
    }

    /** Closes the sockets that listen. Connections that were accepted before are known to their event loops. */
    void stopListening() {
        listening.stopListening();
    }

    private void accepted(Channel connection) {
        Ends ends = Ends.of(connection);
        connections.put(ends, connection);
        ChannelFuture unused = connection.closeFuture().addListener(closed -> connections.remove(ends, connection));
    }

    /** Guards a connection that is ready for its first request. */
    void guard(HttpConnection connection) {
        Channel channel = connections.get(Ends.of(connection));
        if (channel != null) {
            HeadGuard.add(channel.pipeline());
        }
    }

    /** Closes a connection without the answers that its client has not taken, for which Vert.x itself would wait. */
    void abort(HttpConnection connection) {
        Channel channel = connections.get(Ends.of(connection));
        if (channel != null) {
            channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise()));
        }
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return listening;
    }

    @Override
    public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
        Transport.super.configure(config, domainSocket, bootstrap);
        bootstrap
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, READS)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNREAD_ANSWERS);
    }

    @Override
    public String name() {
        return NIO.name();
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public @Nullable Throwable unavailabilityCause() {
        return null;
    }

    @Override
    public Transport implementation() {
        return this;
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return nio.ioHandlerFactory();
    }

    @Override
    public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
        return nio.datagramChannelFactory();
    }

    @Override
    @SuppressWarnings("deprecation") // the type is that of the interface
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return nio.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return nio.channelFactory(domainSocket);
    }
}
