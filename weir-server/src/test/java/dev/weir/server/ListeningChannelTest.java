package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ListeningChannelTest {
    private static final int MAX = 3;

    private final AtomicInteger guarded = new AtomicInteger();
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<Socket> clients = new ArrayList<>();
    private final int port = listen();

    private int listen() {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channelFactory(() -> new ListeningChannel(MAX) {
                    @Override
                    void guard(Channel connection) {
                        guarded.incrementAndGet();
                    }
                })
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public boolean isSharable() {
                        return true;
                    }
                });
        Channel listening = bootstrap
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
        loops.shutdownGracefully().syncUninterruptibly();
    }

    private Socket connect() throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        client.setSoTimeout(20_000);
        clients.add(client);
        return client;
    }

    @Test
    void connections_tooMany_areClosed_untilOthersHaveEnded() throws IOException {
        for (int i = 0; i < MAX; i++) {
            connect();
        }
        assertThat(connect().getInputStream().read()).isEqualTo(-1);
        assertThat(connect().getInputStream().read()).isEqualTo(-1);
        assertThat(guarded).hasValue(MAX);

        clients.get(0).close();
        Await.until(() -> {
            connect();
            return guarded.get() > MAX;
        });
    }
}
