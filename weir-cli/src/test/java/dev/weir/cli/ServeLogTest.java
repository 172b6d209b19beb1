package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.testing.Certificate;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that a client sends is in the log of the server or causes a line in it. */
final class ServeLogTest {
    private static final byte[] HTTP_1 =
            "GET /login?password=hunter2 HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TLS_HELLO =
            HexFormat.of().parseHex("16030100c8010000c40303" + "68756e74657232".repeat(30));
    private static final byte[] PREFACE = HexFormat.of()
            .parseHex(HexFormat.of().formatHex("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII))
                    + "000000040000000000"); // and empty settings
    private static final byte[] NO_PROTOBUF = {-1, -1, -1, -1, -1};

    @TempDir
    private Path directory;

    /** Sends bytes, and waits until the server closes the connection. */
    private static void send(int port, byte[]... parts) throws IOException {
        send(new Socket(InetAddress.getLoopbackAddress(), port), parts);
    }

    private static void send(Socket open, byte[]... parts) throws IOException {
        try (Socket socket = open) {
            socket.setSoTimeout(30_000);
            for (byte[] part : parts) {
                socket.getOutputStream().write(part);
            }
            byte[] unused = socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            // closed, too
        }
    }

    /** Sends a message of the given bytes, and returns the status. */
    private static Code call(ManagedChannel channel, MethodDescriptor<?, ?> method, byte[] message) {
        Marshaller<byte[]> bytes = new Marshaller<>() {
            @Override
            public InputStream stream(byte[] value) {
                return new ByteArrayInputStream(value);
            }

            @Override
            public byte[] parse(InputStream stream) {
                try {
                    return stream.readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
        return catchThrowableOfType(
                        StatusRuntimeException.class,
                        () -> ClientCalls.blockingUnaryCall(
                                channel,
                                method.toBuilder(bytes, bytes).build(),
                                CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
                                message))
                .getStatus()
                .getCode();
    }

    @Test
    void wrongRequests_areNotLogged() throws Exception {
        try (ServeProcess server = new ServeProcess(directory)) {
            for (int port : new int[] {server.port(), server.grpcPort()}) {
                send(port, TLS_HELLO);
                send(port, "hunter2\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            send(server.grpcPort(), HTTP_1);
            send(server.grpcPort(), PREFACE, new byte[] {0, 0, 7, 0, 1, 0, 0, 0, 99}, new byte[7]); // of no stream
            ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                            "127.0.0.1", server.grpcPort(), InsecureChannelCredentials.create())
                    .build();
            try {
                MethodDescriptor<?, ?> rateLimit = RateLimitServiceGrpc.getShouldRateLimitMethod();
                assertThat(call(channel, rateLimit, NO_PROTOBUF)).isEqualTo(Code.INVALID_ARGUMENT);
                assertThat(call(channel, HealthGrpc.getCheckMethod(), NO_PROTOBUF))
                        .isEqualTo(Code.INVALID_ARGUMENT);
                byte[] large = new byte[70_000];
                Arrays.fill(large, (byte) 'x');
                assertThat(call(channel, rateLimit, large)).isEqualTo(Code.RESOURCE_EXHAUSTED);
            } finally {
                channel.shutdownNow();
            }

            assertThat(server.stop()).isEmpty();
        }
    }

    /** The client of Redis would warn of each attempt, several times a second. */
    @ParameterizedTest
    @ValueSource(
            strings = {"redis-sentinel://127.0.0.1:1,127.0.0.1:2/0#name", "redis-cluster://127.0.0.1:1,127.0.0.1:2"})
    void redisThatIsDown_isOneWarning(String uri) throws Exception {
        try (ServeProcess server = new ServeProcess(directory, "--redis", uri)) {
            assertThat(server.stop().lines())
                    .singleElement()
                    .asString()
                    .contains("WARNING Redis cannot be reached at ")
                    .endsWith("; limiters follow their failure policies");
        }
    }

    @Test
    void wrongRequests_inTls_areNotLogged() throws Exception {
        Certificate own = Certificate.create(directory, "server");
        String certificate = own.certificate().toString();
        try (ServeProcess server = new ServeProcess(
                directory, "--tls-cert", certificate, "--tls-key", own.key().toString())) {
            for (int port : new int[] {server.port(), server.grpcPort()}) {
                sendHttp1AfterAgreeingOnHttp2(own, port);
                assertSecondHandshakeIsRefused(own, port);
            }
            sendStreamWithoutPathAndEnd(own, server.port());

            assertThat(server.stop()).isEmpty();
        }
    }

    private static void sendHttp1AfterAgreeingOnHttp2(Certificate own, int port) throws Exception {
        SSLSocket socket = own.connect(port, "h2");
        send(socket, HTTP_1);
        assertThat(socket.getApplicationProtocol()).isEqualTo("h2");
    }

    /** Vert.x does not know a stream that has no path, and this one is not reset yet when its connection ends. */
    private static void sendStreamWithoutPathAndEnd(Certificate own, int port) throws Exception {
        String get = "000001010500000001" + "82";
        String wrongSettings = "000001040000000000" + "00";
        send(own.connect(port, "h2"), PREFACE, HexFormat.of().parseHex(get + wrongSettings));
    }

    /** TLS before 1.3 would let a client cause any number of handshakes on one connection. */
    private static void assertSecondHandshakeIsRefused(Certificate own, int port) throws Exception {
        try (SSLSocket socket = own.connect(port, "h2")) {
            socket.setSoTimeout(30_000);
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.startHandshake();

            assertThatThrownBy(() -> {
                        socket.startHandshake();
                        byte[] unused = socket.getInputStream().readAllBytes();
                    })
                    .isInstanceOf(SSLException.class);
        }
    }
}
