package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HeadGuardTest {
    private static final String HEAD = "POST / HTTP/1.1\r\nContent-Length: 100000\r\n";

    private final EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder());

    @BeforeEach
    void guard() {
        HeadGuard.add(channel.pipeline());
    }

    private void read(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    @Test
    void head_manyLinesInPieces_closesTheConnection() {
        read(HEAD + "a:\r\n".repeat(190));
        assertThat(channel.isOpen()).isTrue();

        read("a:\r\n".repeat(10));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void head_manyLinesAtOnce_isPassedOn() {
        read(HEAD + "a:\r\n".repeat(300) + "\r\n");

        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.inboundMessages()).isNotEmpty();
    }

    @Test
    void body_manyLines_isPassedOn() {
        read(HEAD + "a:\r\n".repeat(190) + "\r\n");
        for (int i = 0; i < 300; i++) {
            read("\n\n\n");
        }

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void body_isCopied_andReleased() {
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer();
        bytes.writeCharSequence("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", StandardCharsets.US_ASCII);

        channel.writeInbound(bytes);

        assertThat(channel.<Object>readInbound()).isInstanceOf(HttpRequest.class);
        HttpContent body = channel.readInbound();
        assertThat(body.content().toString(StandardCharsets.US_ASCII)).isEqualTo("abc");
        assertThat(bytes.refCnt()).isZero();
    }

    @Test
    void trailers_manyLines_closeTheConnection() {
        read("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n");
        for (int i = 0; i < 201; i++) {
            read("a:\r\n");
        }

        assertThat(channel.isOpen()).isFalse();
    }
}
