package dev.weir.server;

import static dev.weir.server.Http2Frames.DATA;
import static dev.weir.server.Http2Frames.END_HEADERS;
import static dev.weir.server.Http2Frames.END_STREAM;
import static dev.weir.server.Http2Frames.GOAWAY;
import static dev.weir.server.Http2Frames.HEADERS;
import static dev.weir.server.Http2Frames.PING;
import static dev.weir.server.Http2Frames.RST_STREAM;
import static dev.weir.server.Http2Frames.awaitFrame;
import static dev.weir.server.Http2Frames.frame;
import static dev.weir.server.Http2Frames.headers;
import static dev.weir.server.Http2Frames.next;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.Http2Frames.Frame;
import dev.weir.testing.LogLines;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Misbehaving clients of the gRPC port. Each writes HTTP/2 frames itself. */
final class HostileGrpcTest extends ServerTest {
    private static final int FLOOD = 100_000;
    private static final int UNREAD = 30_000;
    private static final long MOST_GROWTH = 12L << 20;
    private static final int MAX_CALLS = 1_000;
    private static final String RULES = """
            domain: d
            descriptors:
              - key: k
                rate_limit: {unit: day, requests_per_unit: 1000000}
            """;

    @BeforeEach
    void start() throws IOException {
        ServerSettings settings = new ServerSettings();
        settings.requestMillis = 2_000;
        settings.keepAliveMillis = 1_000;
        start(settings, RULES);
    }

    private Socket connect() throws IOException {
        return Http2Frames.connect(server().grpcPort());
    }

    private static byte[] call(int stream) {
        return Http2Frames.call(stream, "d", "k=v");
    }

    private static long usedAfterCollection() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void client_thatNeverReads_takesLittleMemory() throws IOException {
        long before = usedAfterCollection();
        long most = 0;
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            boolean closed = false;
            for (int i = 0; i < UNREAD && !closed; i++) {
                closed = !write(out, call(2 * i + 1));
                if (i % (UNREAD / 5) == 0) {
                    most = Math.max(most, usedAfterCollection());
                }
            }
            most = Math.max(most, usedAfterCollection());
            assertThat(most - before).isLessThan(MOST_GROWTH);
        }
        assertThat(envoy().send("d", "k=w").getStatuses(0).getLimitRemaining()).isEqualTo(999_999);
    }

    private static boolean write(OutputStream out, byte[] bytes) {
        try {
            out.write(bytes);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    /** A client cannot extend the time by a deadline of its own. */
    @Test
    void headers_withoutMessage_endTheCall() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(frame(HEADERS, END_HEADERS, 1, headers()));
            socket.getOutputStream().write(frame(HEADERS, END_HEADERS, 3, headers("grpc-timeout", "1H")));

            assertThat(next(socket, HEADERS))
                    .hasValueSatisfying(status -> assertThat(status.last()).isTrue());
            assertThat(next(socket, HEADERS))
                    .hasValueSatisfying(status -> assertThat(status.last()).isTrue());
        }
    }

    @Test
    void message_withoutEndOfCall_endsTheCall() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(Http2Frames.openCall(1, "d", "k=v"));

            assertThat(next(socket, HEADERS)).hasValue(new Frame(1, true));
        }
        assertThat(envoy().send("d", "k=v").getStatuses(0).getLimitRemaining()).isEqualTo(999_999);
    }

    /** gRPC itself would log it as a failure of the server. */
    @Test
    void message_thatCannotBeParsed_endsTheCall_andIsNotLogged() throws IOException {
        try (Socket socket = connect();
                LogLines log = new LogLines("io.grpc")) {
            socket.getOutputStream().write(frame(HEADERS, END_HEADERS, 1, headers()));
            socket.getOutputStream().write(frame(DATA, END_STREAM, 1, new byte[] {0, 0, 0, 0, 1, -1}));

            assertThat(next(socket, HEADERS)).hasValue(new Frame(1, true));
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void messages_incomplete_oldestAreRefused() throws IOException {
        stop();
        ServerSettings settings = new ServerSettings();
        settings.openRequestBytes = 100 << 10; // more than one call takes, less than two
        start(settings, RULES);
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < 3; i++) {
                out.write(Http2Frames.partialCall(2 * i + 1, 60_000));
            }
            out.write(call(7));

            assertThat(next(socket, HEADERS)).hasValue(new Frame(1, true));
            assertThat(next(socket, HEADERS)).hasValue(new Frame(3, true));
            assertThat(next(socket, HEADERS)).hasValue(new Frame(7, false)); // complete, so answered
        }
    }

    /** The answers wait in the server until the client opens a window. */
    @Test
    void answers_notRead_oldestAreReset() throws IOException {
        stop();
        ServerSettings settings = new ServerSettings();
        settings.openRequestBytes = 100 << 10;
        start(settings, RULES);
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            out.write(Http2Frames.noWindow());
            for (int i = 0; i < 100; i++) {
                out.write(call(2 * i + 1));
            }

            assertThat(next(socket, RST_STREAM)).hasValue(new Frame(1, false));
            assertThat(next(socket, RST_STREAM)).hasValue(new Frame(3, false));
        }
        assertThat(envoy().send("d", "k=w").getStatuses(0).getLimitRemaining()).isEqualTo(999_999);
    }

    /** Requests on a stream wait in the server, too, while the client does not read the answers. */
    @Test
    void streamsOfRequests_tooMany_oldestAreEnded() throws IOException {
        stop();
        ServerSettings settings = new ServerSettings();
        settings.openRequestBytes = 200 << 10; // more than the window of one connection, less than that of two
        start(settings, RULES);
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            out.write(Http2Frames.reflection(1));
            out.write(Http2Frames.reflection(3));

            assertThat(next(socket, HEADERS)).hasValue(new Frame(1, true));
        }
    }

    @Test
    void streamOfRequests_thatDoesNotEnd_isEnded() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(Http2Frames.reflection(1));

            assertThat(next(socket, HEADERS)).hasValue(new Frame(1, true));
        }
    }

    @Test
    void healthWatch_othersFlood_staysOpen() throws IOException {
        stop();
        ServerSettings settings = new ServerSettings();
        settings.openRequestBytes = 100 << 10;
        start(settings, RULES);
        try (Socket watch = connect()) {
            watch.getOutputStream().write(Http2Frames.watch(1));
            assertThat(next(watch, HEADERS)).hasValue(new Frame(1, false));
            for (int loop = 0; loop < Runtime.getRuntime().availableProcessors(); loop++) {
                floodWithPartialCalls();
            }

            watch.getOutputStream().write(call(3));
            assertThat(next(watch, HEADERS)).hasValue(new Frame(3, false)); // the watch has not ended
        }
    }

    private void floodWithPartialCalls() throws IOException {
        try (Socket flood = connect()) {
            for (int i = 0; i < 10; i++) {
                flood.getOutputStream().write(Http2Frames.partialCall(2 * i + 1, 60_000));
            }
            assertThat(next(flood, HEADERS)).isPresent(); // one of those was refused
        }
    }

    /** An answer begins with headers that do not end the stream; a refusal is a status alone. */
    @Test
    void calls_tooManyAreOpen_nextIsRefused_untilTheyHaveEnded() throws IOException {
        stop();
        ServerSettings settings = new ServerSettings();
        settings.requestMillis = 5_000; // so that all calls are open at the same time, also on a busy machine
        start(settings, RULES);
        int refused = 2 * MAX_CALLS + 1;
        try (Socket socket = connect()) {
            OutputStream out = new BufferedOutputStream(socket.getOutputStream());
            for (int i = 0; i < MAX_CALLS; i++) {
                out.write(frame(HEADERS, END_HEADERS, 2 * i + 1, headers()));
            }
            out.write(call(refused));
            out.flush();
            assertThat(next(socket, HEADERS)).hasValue(new Frame(refused, true));

            for (int i = 0; i < MAX_CALLS; i++) {
                assertThat(next(socket, HEADERS)).isPresent();
            }
            out.write(call(refused + 2));
            out.flush();
            assertThat(next(socket, HEADERS)).hasValue(new Frame(refused + 2, false));
        }
    }

    @Test
    void resets_inFlood_closeTheConnection() throws IOException {
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            boolean closed = false;
            for (int first = 0; first < FLOOD && !closed; first += 1_000) {
                ByteArrayOutputStream calls = new ByteArrayOutputStream(); // one by one, they may not be a flood
                for (int i = first; i < first + 1_000; i++) {
                    calls.write(frame(HEADERS, END_HEADERS, 2 * i + 1, headers()));
                    calls.write(frame(RST_STREAM, 0, 2 * i + 1, new byte[] {0, 0, 0, 8}));
                }
                closed = !write(out, calls.toByteArray());
            }
            assertThat(closed || awaitFrame(socket, GOAWAY)).isTrue();
        }
        assertThat(envoy().send("d", "k=w").getStatuses(0).getLimitRemaining()).isEqualTo(999_999);
    }

    @Test
    void refusedCall_thatDoesNotEnd_isReset() throws IOException {
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            out.write(call(1));
            assertThat(next(socket, HEADERS)).isPresent();
            out.write(Http2Frames.unknownCall(3));

            assertThat(next(socket, RST_STREAM)).hasValue(new Frame(3, false));
        }
    }

    @Test
    void errors_notRead_areReset() throws IOException {
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            out.write(Http2Frames.noWindow());
            out.write(call(1));
            assertThat(next(socket, HEADERS)).isPresent();
            out.write(Http2Frames.errorCall(3));

            assertThat(next(socket, RST_STREAM)).hasValue(new Frame(3, false));
        }
    }

    @Test
    void emptyData_inFlood_takesLittleMemory() throws IOException {
        stop();
        ServerSettings settings = new ServerSettings();
        settings.requestMillis = 600_000; // no timer ends the call
        start(settings, RULES);
        long before = usedAfterCollection();
        try (Socket socket = connect()) {
            OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
            out.write(frame(HEADERS, END_HEADERS, 3, headers()));
            for (int i = 0; i < 3 * FLOOD; i++) {
                out.write(Http2Frames.emptyData(3));
            }
            out.write(frame(PING, 0, 0, new byte[8]));
            out.flush();
            assertThat(awaitFrame(socket, PING)).isTrue(); // so all before it has been read
            assertThat(usedAfterCollection() - before).isLessThan(MOST_GROWTH);
        }
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
            assertThat(usedAfterCollection() - before).isLessThan(MOST_GROWTH);
            assertThat(closed || awaitFrame(socket, GOAWAY)).isTrue();
        }
        assertThat(envoy().send("d", "k=w").getStatuses(0).getLimitRemaining()).isEqualTo(999_999);
    }

    @Test
    void client_thatSendsNothing_isClosed() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().grpcPort())) {
            socket.setSoTimeout(30_000);

            assertThat(awaitFrame(socket, 99)).isFalse();
        }
    }

    @Test
    void client_thatDoesNotAnswerAPing_isClosed() throws IOException {
        try (Socket socket = connect()) {
            assertThat(awaitFrame(socket, PING)).isTrue();
            assertThat(awaitFrame(socket, 99)).isFalse();
        }
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
