package dev.weir.benchmarks.server;

import static io.netty.handler.codec.http2.Http2CodecUtil.FRAME_HEADER_LENGTH;
import static io.netty.handler.codec.http2.Http2Flags.ACK;
import static io.netty.handler.codec.http2.Http2Flags.END_HEADERS;
import static io.netty.handler.codec.http2.Http2Flags.END_STREAM;

import dev.weir.benchmarks.report.FailedMeasureException;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server of gRPC, written by hand so that the load takes less of the machine than the server: calls are bytes
 * that are copied, and of an answer only its code is read. Used by one thread.
 */
final class Connection implements AutoCloseable {
    /** The most calls in flight; the server accepts 1,000. */
    static final int MAX_IN_FLIGHT = 900;

    private static final int BUFFER_BYTES = 1 << 20;
    private static final int WINDOW =
            Integer.MAX_VALUE - 65_535; // together with the initial window, the most there may be
    private static final int REFILL_BYTES = 1 << 20;
    private static final int GRPC_HEADER_BYTES = 5;
    private static final int CODE_FIELD = 0x08; // the first field of an answer, its overall code
    private static final int RING = 1 << 18; // more calls than are sent before one is answered
    private static final int LAST_STREAM = Integer.MAX_VALUE - 2;

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final byte[] firstHeaders; // which the server puts into its table
    private final byte[] laterHeaders; // their numbers in the table
    private final @Nullable IntConsumer[] answers = new IntConsumer[RING];
    private final byte[] code = new byte[RING];
    private int stream = -1;
    private int inFlight;
    private int consumed; // bytes of data since the window was refilled

    /** Opens a connection to a port of this machine. A blocking one waits for answers, another one looks for them. */
    Connection(int port, boolean blocking) throws IOException {
        DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
        firstHeaders = headers(encoder);
        laterHeaders = headers(encoder);
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(blocking);
        out.put(Http2CodecUtil.connectionPrefaceBuf().nioBuffer());
        frame(Http2FrameTypes.SETTINGS, 0, 0, 0);
        frame(Http2FrameTypes.WINDOW_UPDATE, 0, 0, Integer.BYTES).putInt(WINDOW);
        flush();
    }

    private static byte[] headers(DefaultHttp2HeadersEncoder encoder) {
        Http2Headers headers = new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .path("/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit")
                .authority("weir")
                .set("content-type", "application/grpc")
                .set("te", "trailers")
                .set("grpc-timeout", "10S");
        ByteBuf block = Unpooled.buffer();
        try {
            encoder.encodeHeaders(1, headers, block);
        } catch (Http2Exception tooLarge) {
            throw new IllegalStateException(tooLarge);
        }
        return ByteBufUtil.getBytes(block);
    }

    private ByteBuffer frame(int type, int flags, int id, int length) {
        return out.put((byte) (length >> 16))
                .putShort((short) length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(id);
    }

    int inFlight() {
        return inFlight;
    }

    /**
     * Prepares a call; {@link #flush} sends it.
     *
     * @param answer receives the overall code of the answer, or that of {@link Code#UNKNOWN} if the call failed
     */
    void send(byte[] message, IntConsumer answer) throws IOException {
        if (out.position() > BUFFER_BYTES / 2) {
            flush();
        }
        if (stream >= LAST_STREAM) {
            throw new FailedMeasureException("a connection has no number for another call");
        }
        byte[] headers = stream < 0 ? firstHeaders : laterHeaders;
        stream += 2;
        int slot = (stream >> 1) & (RING - 1);
        answers[slot] = answer;
        code[slot] = 0;
        inFlight++;
        frame(Http2FrameTypes.HEADERS, END_HEADERS, stream, headers.length).put(headers);
        frame(Http2FrameTypes.DATA, END_STREAM, stream, GRPC_HEADER_BYTES + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message);
    }

    /** Sends all that is prepared. */
    void flush() throws IOException {
        out.flip();
        while (out.hasRemaining()) {
            channel.write(out);
        }
        out.clear();
    }

    /** Reads what has arrived, and passes on the answers in it; a blocking connection waits until something has. */
    void receive() throws IOException {
        if (channel.read(in) < 0) {
            throw new IOException("the server closed the connection");
        }
        in.flip();
        while (in.remaining() >= FRAME_HEADER_LENGTH) {
            int start = in.position();
            int length = in.getInt(start) >>> 8;
            if (in.remaining() < FRAME_HEADER_LENGTH + length) {
                break;
            }
            received(in.get(start + 3), in.get(start + 4), in.getInt(start + 5), start + FRAME_HEADER_LENGTH, length);
            in.position(start + FRAME_HEADER_LENGTH + length);
        }
        in.compact();
    }

    private void received(int type, int flags, int id, int payload, int length) throws IOException {
        switch (type) {
            case Http2FrameTypes.DATA -> data(id, payload, length);
            case Http2FrameTypes.HEADERS -> {
                if ((flags & END_STREAM) != 0) {
                    ended(id);
                }
            }
            case Http2FrameTypes.RST_STREAM -> ended(id);
            case Http2FrameTypes.SETTINGS, Http2FrameTypes.PING -> {
                if ((flags & ACK) == 0) {
                    int echoed = type == Http2FrameTypes.PING ? length : 0;
                    frame(type, ACK, 0, echoed).put(in.slice(payload, echoed));
                    flush();
                }
            }
            case Http2FrameTypes.GO_AWAY -> throw new IOException("the server ends the connection");
            default -> {} // windows of the server, which are larger than all calls in flight
        }
    }

    private void data(int id, int payload, int length) throws IOException {
        if (length > GRPC_HEADER_BYTES + 1 && in.get(payload + GRPC_HEADER_BYTES) == CODE_FIELD) {
            code[(id >> 1) & (RING - 1)] = in.get(payload + GRPC_HEADER_BYTES + 1);
        }
        consumed += length;
        if (consumed >= REFILL_BYTES) {
            frame(Http2FrameTypes.WINDOW_UPDATE, 0, 0, Integer.BYTES).putInt(consumed);
            consumed = 0;
            flush();
        }
    }

    private void ended(int id) {
        int slot = (id >> 1) & (RING - 1);
        inFlight--;
        IntConsumer answer = Objects.requireNonNull(answers[slot]);
        answers[slot] = null;
        answer.accept(code[slot]);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
