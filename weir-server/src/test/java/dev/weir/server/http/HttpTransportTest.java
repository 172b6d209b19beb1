package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.TcpConfig;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class HttpTransportTest {
    private static final int LARGE = 32 << 20; // more than a system keeps for a client that does not read

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

    @Test
    void abort_clientThatDoesNotRead_closesTheConnection() throws Exception {
        HttpTransport transport = new HttpTransport();
        Vertx vertx = Vertx.builder().withTransport(transport).build();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        try {
            int port = vertx.createHttpServer()
                    .connectionHandler(connection -> connection.closeHandler(closed::complete))
                    .requestHandler(request -> {
                        Future<Void> unused = request.response().send(Buffer.buffer(new byte[LARGE]));
                        transport.abort(request.connection());
                    })
                    .listen(0, "127.0.0.1")
                    .await(20, TimeUnit.SECONDS)
                    .actualPort();
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.getOutputStream()
                        .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

                assertThat(closed).succeedsWithin(Duration.ofSeconds(20));
            }
        } finally {
            vertx.close().await(20, TimeUnit.SECONDS);
        }
    }
}
