package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.vertx.core.net.TcpConfig;
import org.junit.jupiter.api.Test;

final class HttpTransportTest {
    /** Else a client that sends many requests at once, and reads no answer, fills the memory. */
    @Test
    void configure_connections_areReadAndAnsweredInSmallTurns() {
        ServerBootstrap bootstrap = new ServerBootstrap();

        new HttpTransport().configure(new TcpConfig(), false, bootstrap);

        assertThat(bootstrap.config().childOptions())
                .extractingByKey(ChannelOption.RECVBUF_ALLOCATOR)
                .isSameAs(HttpTransport.READS);
        assertThat(bootstrap.config().childOptions())
                .extractingByKey(ChannelOption.WRITE_BUFFER_WATER_MARK)
                .returns(8 << 10, mark -> ((WriteBufferWaterMark) mark).high());
    }
}
