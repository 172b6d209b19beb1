package dev.weir.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The guard of a connection whose client does not read. */
final class ConnectionGuardTest {
    private static final int MANY_BYTES = 100_000;

    /** A connection whose client reads nothing until {@code reads} is set. */
    private static final class Client extends ChannelOutboundHandlerAdapter {
        private boolean reads;

        @Override
        public void flush(ChannelHandlerContext context) {
            if (reads) {
                context.flush();
            }
        }
    }

    private final Client client = new Client();

    private EmbeddedChannel channel() {
        EmbeddedChannel channel = new EmbeddedChannel(client, new ConnectionGuard());
        channel.freezeTime();
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1_000, 10_000));
        return channel;
    }

    private static void advance(EmbeddedChannel channel, long seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runPendingTasks();
    }

    @Test
    void client_readsNothing_isNotReadAndThenClosed() {
        EmbeddedChannel channel = channel();
        var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[MANY_BYTES]));
        channel.runPendingTasks();

        assertThat(channel.config().isAutoRead()).isFalse();
        advance(channel, 4);
        assertThat(channel.isOpen()).isTrue();
        advance(channel, 2);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void client_readsLate_isReadAgainAndNotClosed() {
        EmbeddedChannel channel = channel();
        var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[MANY_BYTES]));
        channel.runPendingTasks();
        client.reads = true;
        channel.flush();
        channel.runPendingTasks();

        assertThat(channel.config().isAutoRead()).isTrue();
        advance(channel, 10);
        assertThat(channel.isOpen()).isTrue();
        var unusedToo = channel.close();
    }
}
