package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.LogLines;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The channels of both ports when no connection can be accepted. */
final class ListeningChannelTest {
    @Test
    void accept_failsOften_isOneLineInTheLog() {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        Channel http = new HttpTransport().serverChannelFactory(false).newChannel();
        List<Channel> channels = List.of(http, new GuardedServerChannel());
        try (LogLines log = new LogLines("")) {
            for (Channel channel : channels) {
                loop.register(channel).awaitUninterruptibly();
                for (int i = 0; i < 3; i++) {
                    channel.pipeline().fireExceptionCaught(new IOException("Too many open files"));
                }
            }
            loop.submit(() -> {}).awaitUninterruptibly(); // the events are before this

            assertThat(log.lines())
                    .filteredOn(line -> line.contains("Too many open files"))
                    .containsExactly("WARNING connections cannot be accepted, they wait: Too many open files"
                            + "; similar warnings are not logged for a minute");
        } finally {
            channels.forEach(channel -> channel.close().awaitUninterruptibly());
            loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }
}
