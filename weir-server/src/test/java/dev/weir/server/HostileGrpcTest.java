package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients of the gRPC port that do not behave. Each speaks HTTP/2 by hand. */
final class HostileGrpcTest extends ServerTest {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int FLOOD = 100_000;

    @BeforeEach
    void start() throws IOException {
        start("""
                domain: d
                descriptors:
                  - key: k
                    rate_limit: {unit: day, requests_per_unit: 1000000}
                """);
    }

    /** A connection on which the client has said hello. */
    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().grpcPort());
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(frame(SETTINGS, 0, 0, new byte[0]));
        return socket;
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
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

    /** The headers of a call, each a literal that is not indexed. */
    private static byte[] headers() {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        literal(block, ":method", "POST");
        literal(block, ":scheme", "http");
        literal(block, ":path", "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit");
        literal(block, ":authority", "localhost");
        literal(block, "content-type", "application/grpc");
        literal(block, "te", "trailers");
        return block.toByteArray();
    }

    private static void literal(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        block.write(name.length());
        block.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        block.write(value.length());
        block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] message() {
        byte[] request = RateLimitRequest.newBuilder()
                .setDomain("d")
                .addDescriptors(EnvoyClient.descriptor("k=v"))
                .build()
                .toByteArray();
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(new byte[] {0, 0, 0, 0, (byte) request.length});
        message.writeBytes(request);
        return message.toByteArray();
    }

    private static byte[] call(int stream) {
        ByteArrayOutputStream call = new ByteArrayOutputStream();
        call.writeBytes(frame(HEADERS, END_HEADERS, stream, headers()));
        call.writeBytes(frame(DATA, END_STREAM, stream, message()));
        return call.toByteArray();
    }

    private static long usedAfterCollection() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Reads frames until one of a type comes; false if the connection ends before. */
    private static boolean awaitFrame(Socket socket, int type) throws IOException {
        while (true) {
            byte[] header = socket.getInputStream().readNBytes(9);
            if (header.length < 9) {
                return false;
            }
            int length = ((header[0] & 0xff) << 16) | ((header[1] & 0xff) << 8) | (header[2] & 0xff);
            socket.getInputStream().readNBytes(length);
            if (header[3] == type) {
                return true;
            }
        }
    }

    @Test
    void client_thatNeverReads_takesLittleMemory() throws IOException {
        long before = usedAfterCollection();
        long most = 0;
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            boolean closed = false;
            for (int i = 0; i < FLOOD && !closed; i++) {
                closed = !write(out, call(2 * i + 1));
                if (i % (FLOOD / 5) == 0) {
                    most = Math.max(most, usedAfterCollection());
                }
            }
            most = Math.max(most, usedAfterCollection());
            assertThat(most - before).isLessThan(40L << 20);
        }
        assertThat(envoy().ask("d", "k=w").getStatuses(0).getLimitRemaining()).isEqualTo(999_999);
    }

    private static boolean write(OutputStream out, byte[] bytes) {
        try {
            out.write(bytes);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    @Test
    void headers_withoutMessage_endTheCall() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(frame(HEADERS, END_HEADERS, 1, headers()));

            assertThat(awaitFrame(socket, HEADERS)).isTrue(); // the trailers with the status
        }
    }

    @Test
    void resets_inFlood_closeTheConnection() throws IOException {
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            boolean closed = false;
            for (int i = 0; i < FLOOD && !closed; i++) {
                closed = !write(out, frame(HEADERS, END_HEADERS, 2 * i + 1, headers()))
                        || !write(out, frame(RST_STREAM, 0, 2 * i + 1, new byte[] {0, 0, 0, 8}));
            }
            assertThat(closed || awaitFrame(socket, GOAWAY)).isTrue();
        }
        assertThat(envoy().ask("d", "k=w").getStatuses(0).getLimitRemaining()).isEqualTo(999_999);
    }

    @Test
    void pings_inFlood_closeTheConnection() throws IOException {
        long before = usedAfterCollection();
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            boolean closed = false;
            for (int i = 0; i < FLOOD && !closed; i++) {
                closed = !write(out, frame(PING, 0, 0, new byte[8]));
            }
            assertThat(usedAfterCollection() - before).isLessThan(40L << 20);
            assertThat(closed || awaitFrame(socket, GOAWAY)).isTrue();
        }
        assertThat(envoy().ask("d", "k=w").getStatuses(0).getLimitRemaining()).isEqualTo(999_999);
    }

    @Test
    void bytes_thatAreNotHttp2_closeTheConnection() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().grpcPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(awaitFrame(socket, 99)).isFalse();
        }
    }
}
