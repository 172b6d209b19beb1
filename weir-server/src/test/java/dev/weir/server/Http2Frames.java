package dev.weir.server;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.IntStream;

/** HTTP/2 frames, for clients that decide themselves what they send and when they read. */
public final class Http2Frames {
    public static final int HEADERS = 1;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int END_HEADERS = 4;
    static final int DATA = 0;
    static final int END_STREAM = 1;
    private static final int MAX_PAYLOAD = 16 << 10;

    private Http2Frames() {}

    /** Opens a connection and sends the client's preface. */
    public static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(frame(SETTINGS, 0, 0, new byte[0]));
        return socket;
    }

    static byte[] frame(int type, int flags, int stream, byte[] payload) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(payload.length >> 16);
            out.writeShort(payload.length);
            out.writeByte(type);
            out.writeByte(flags);
            out.writeInt(stream);
            out.write(payload);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Settings of a client that takes no answers: their window is 0. */
    static byte[] noWindow() {
        return frame(SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
    }

    /** The headers of a call to Envoy's service, then alternating names and values of others; each is a literal, not indexed. */
    static byte[] headers(String... others) {
        return headersTo("envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit", others);
    }

    private static byte[] headersTo(String method, String... others) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        literal(block, ":method", "POST");
        literal(block, ":scheme", "http");
        literal(block, ":path", "/" + method);
        literal(block, ":authority", "localhost");
        literal(block, "content-type", "application/grpc");
        literal(block, "te", "trailers");
        for (int i = 0; i < others.length; i += 2) {
            literal(block, others[i], others[i + 1]);
        }
        return block.toByteArray();
    }

    private static void literal(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        block.write(name.length());
        block.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        block.write(value.length());
        block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] message(String domain, String descriptor) {
        byte[] request = RateLimitRequest.newBuilder()
                .setDomain(domain)
                .addDescriptors(EnvoyClient.descriptor(descriptor))
                .build()
                .toByteArray();
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(new byte[] {0, 0, 0, 0, (byte) request.length});
        message.writeBytes(request);
        return message.toByteArray();
    }

    public static byte[] call(int stream, String domain, String descriptor) {
        ByteArrayOutputStream call = new ByteArrayOutputStream();
        call.writeBytes(frame(HEADERS, END_HEADERS, stream, headers()));
        call.writeBytes(frame(DATA, END_STREAM, stream, message(domain, descriptor)));
        return call.toByteArray();
    }

    /** The beginning of a call: the headers, and as many zeros of a message that is larger. */
    static byte[] partialCall(int stream, int zeros) {
        ByteArrayOutputStream call = new ByteArrayOutputStream();
        call.writeBytes(frame(HEADERS, END_HEADERS, stream, headers()));
        call.writeBytes(frame(DATA, 0, stream, new byte[] {0, 0, 0, (byte) 0xff, (byte) 0xff}));
        for (int sent = 0; sent < zeros; sent += MAX_PAYLOAD) {
            call.writeBytes(frame(DATA, 0, stream, new byte[Math.min(MAX_PAYLOAD, zeros - sent)]));
        }
        return call.toByteArray();
    }

    /** A watch of the server's health, which is a stream of answers. */
    public static byte[] watch(int stream, String... otherHeaders) {
        ByteArrayOutputStream call = new ByteArrayOutputStream();
        call.writeBytes(frame(HEADERS, END_HEADERS, stream, headersTo("grpc.health.v1.Health/Watch", otherHeaders)));
        call.writeBytes(frame(DATA, END_STREAM, stream, new byte[5]));
        return call.toByteArray();
    }

    /** The beginning of a stream of requests to the service that describes the others. */
    static byte[] reflection(int stream) {
        return frame(
                HEADERS, END_HEADERS, stream, headersTo("grpc.reflection.v1.ServerReflection/ServerReflectionInfo"));
    }

    /** A call that is answered with an error of HTTP, since it has no path. */
    static byte[] errorCall(int stream) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        literal(block, ":method", "POST");
        literal(block, ":scheme", "http");
        literal(block, ":path", "none");
        return frame(HEADERS, END_HEADERS | END_STREAM, stream, block.toByteArray());
    }

    /** The beginning of a call to a method that does not exist. */
    public static byte[] unknownCall(int stream) {
        return frame(HEADERS, END_HEADERS, stream, headersTo("none.Service/None"));
    }

    /** Data of a call that has none and does not end it. */
    static byte[] emptyData(int stream) {
        return frame(DATA, 0, stream, new byte[0]);
    }

    /** A call whose message is complete, but which the client does not end. */
    static byte[] openCall(int stream, String domain, String descriptor) {
        ByteArrayOutputStream call = new ByteArrayOutputStream();
        call.writeBytes(frame(HEADERS, END_HEADERS, stream, headers()));
        call.writeBytes(frame(DATA, 0, stream, message(domain, descriptor)));
        return call.toByteArray();
    }

    /**
     * The properties of a frame that tests compare.
     *
     * @param stream its stream
     * @param last whether it ends the stream
     */
    public record Frame(int stream, boolean last) {}

    /** Reads frames until one of these types comes; empty if the connection ends before. */
    public static Optional<Frame> next(Socket socket, int... types) throws IOException {
        while (true) {
            byte[] header = socket.getInputStream().readNBytes(9);
            if (header.length < 9) {
                return Optional.empty();
            }
            int length = ((header[0] & 0xff) << 16) | ((header[1] & 0xff) << 8) | (header[2] & 0xff);
            socket.getInputStream().readNBytes(length);
            if (IntStream.of(types).anyMatch(type -> type == header[3])) {
                int stream = ByteBuffer.wrap(header, 5, 4).getInt();
                return Optional.of(new Frame(stream, (header[4] & END_STREAM) != 0));
            }
        }
    }

    /** Reads frames until one of a type comes; false if the connection ends before. */
    public static boolean awaitFrame(Socket socket, int type) throws IOException {
        return next(socket, type).isPresent();
    }
}
