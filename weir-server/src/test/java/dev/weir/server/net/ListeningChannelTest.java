package dev.weir.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ListeningChannelTest {
    private static final int MAX = 3;

    private final AtomicInteger guarded = new AtomicInteger();
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<Socket> clients = new ArrayList<>();
    private final ListeningChannel listening = listen();
    private final int port = listening.localAddress().getPort();

    private ListeningChannel listen() {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channelFactory(() -> new ListeningChannel(MAX, connection -> guarded.incrementAndGet()))
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public boolean isSharable() {
                        return true;
                    }
                });
        return (ListeningChannel) bootstrap
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
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
        try (LogLines log = new LogLines("dev.weir.server")) {
            assertThat(connect().getInputStream().read()).isEqualTo(-1);
            assertThat(connect().getInputStream().read()).isEqualTo(-1);
            assertThat(log.lines())
                    .containsExactly("WARNING a connection is refused, because " + MAX
                            + " are open; similar warnings are not logged for a minute");
        }
        assertThat(guarded).hasValue(MAX);

        clients.get(0).close();
        Await.until(() -> {
            connect();
            return guarded.get() > MAX;
        });
    }

    @Test
    void close_connectionsInBacklog_areAcceptedBefore() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        listening.eventLoop().execute(() -> Await.until(() -> connected.getCount() == 0));
        for (int i = 0; i < MAX; i++) {
            connect();
        }

        ChannelFuture closed = listening.close();
        connected.countDown();
        closed.sync();

        assertThat(guarded).hasValue(MAX);
    }

    @Test
    void stopListening_nextConnection_isRefused() {
        listening.stopListening();

        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    }

    @Test
    void stopListening_blockedEventLoop_isNotWaitedForLong() {
        CountDownLatch stopped = new CountDownLatch(1);
        Future<?> blocked = listening.eventLoop().submit(() -> Await.until(() -> stopped.getCount() == 0));

        listening.stopListening();

        assertThat(blocked.isDone()).isFalse();
        stopped.countDown();
    }
}
