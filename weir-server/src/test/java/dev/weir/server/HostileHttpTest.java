package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Certificate;
import dev.weir.testing.LogLines;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Misbehaving clients of the HTTP port. */
final class HostileHttpTest extends ServerTest {
    private static final long FLOOD_BYTES = 200L << 20;
    private static final int PIPELINED = 60_000;
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

    @BeforeEach
    void start() throws IOException {
        ServerSettings settings = new ServerSettings();
        settings.requestMillis = 2_000;
        settings.keepAliveMillis = 3_000;
        start(settings, "policies: {api: 1000000/1d}\n");
    }

    private String answer(String request) throws IOException {
        return new String(raw(request), StandardCharsets.UTF_8);
    }

    @Test
    void body_tooLarge_isRefused() throws IOException {
        assertThat(answer("POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000\r\n\r\n"
                        + "x".repeat(70_000)))
                .startsWith("HTTP/1.1 413 ")
                .contains("\"detail\":\"the body must be at most 65536 bytes\"");
    }

    @Test
    void body_thatDoesNotArrive_isRefused() throws IOException {
        assertThat(answer("POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"))
                .startsWith("HTTP/1.1 408 ");
    }

    @ParameterizedTest
    @CsvSource({"0, 60000, 400000", "150, 0, 80000"
    }) // the objects of short headers take much more memory than their text
    void requests_incomplete_oldestAreRefused(int headers, int body, long openBytes) throws IOException {
        stop();
        ServerSettings settings = new ServerSettings();
        settings.openRequestBytes = openBytes; // half of it for requests: more than one takes, less than two
        start(settings, "policies: {api: 1000000/1d}\n");
        int loops = Runtime.getRuntime().availableProcessors();
        byte[] head =
                ("POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 65000\r\n"
                                + "a:\r\n".repeat(headers) + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 3 * loops; i++) {
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server().port());
                clients.add(client);
                client.setSoTimeout(20_000);
                client.getOutputStream().write(head);
                assertThat(client.getInputStream().readNBytes(CONTINUE.length()))
                        .isEqualTo(CONTINUE.getBytes(StandardCharsets.US_ASCII));
            }
            for (Socket client : clients) {
                client.getOutputStream().write(new byte[body]);
            }

            Await.until(
                    () -> clients.stream().filter(HostileHttpTest::isAnswered).count() >= 2L * loops);
            for (Socket client :
                    clients.stream().filter(HostileHttpTest::isAnswered).toList()) {
                assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 503 ")
                        .contains("\"detail\":\"too many requests are incomplete\"");
            }
            assertThat(decide("{\"key\":\"k\",\"policy\":\"api\"}").statusCode())
                    .isEqualTo(200);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static boolean isAnswered(Socket client) {
        try {
            return client.getInputStream().available() > 0;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void headers_thatDoNotArrive_closeTheConnection() throws IOException {
        assertThat(answer("GET /healthz HTTP/1.1\r\nHost: loc")).isEmpty();
    }

    /** The objects of short headers take much more memory than their text, and are not counted until all have arrived. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void headers_manyAndIncomplete_closeTheConnection(boolean tls) throws Exception {
        stop();
        ServerSettings settings = new ServerSettings();
        settings.requestMillis = 600_000; // no timer closes it
        Certificate own = Certificate.create(directory, "server");
        start(tls ? settings.tls(own.certificate(), own.key(), null) : settings, "policies: {api: 1/1d}\n");
        int port = server().port();
        try (Socket client = tls ? own.connect(port, "http/1.1") : new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.setSoTimeout(20_000);
            client.getOutputStream()
                    .write(("GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + "a:\r\n".repeat(1_500))
                            .getBytes(StandardCharsets.US_ASCII));

            assertThat(client.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException | SSLException closed) {
            // with bytes that were not read
        }
    }

    @Test
    void headers_thatDoNotArriveAfterAnAnswer_closeTheConnection() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port())) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readNBytes(15), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 200 OK");
            Thread drip = new Thread(
                    () -> { // no pause is as long as the connection may be idle
                        try {
                            out.write("GET /healthz HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
                            while (true) {
                                out.write('x');
                                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                            }
                        } catch (IOException closed) {
                            // as it should be
                        }
                    });
            drip.start();

            assertThat(socket.getInputStream().readAllBytes()).isNotEmpty(); // the rest of the answer, and the end
            drip.join(20_000);
            assertThat(drip.isAlive()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n", "3\r\nabcd\r\n", "3\r\nabc\r\n-1\r\n", "0\r\nno trailer\r\n\r\n"})
    void chunks_thatCannotBeDecoded_areRefused(String chunks) throws IOException {
        assertThat(answer("POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks))
                .startsWith("HTTP/1.1 400 ")
                .contains("\"detail\":\"the body cannot be decoded\"");
    }

    @Test
    void headers_tooLong_areRefused() throws IOException {
        assertThat(answer("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(20_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ");
        assertThat(answer("GET /v1/auth?key=" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .matches("(?s)HTTP/1\\.[01] 414 .*");
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void deepJson_isRefused() {
        assertThat(decide("[".repeat(30_000)).statusCode()).isEqualTo(400);
        assertThat(decide("[".repeat(30_000) + "]".repeat(30_000)).statusCode()).isEqualTo(400);
    }

    @Test
    void client_thatNeverReads_isNoLongerRead() throws Exception {
        byte[] request = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .repeat(100)
                .getBytes(StandardCharsets.US_ASCII);
        System.gc();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port())) {
            socket.setReceiveBufferSize(4_096);
            OutputStream out = socket.getOutputStream();
            long[] written = new long[1];
            Thread client = new Thread(() -> {
                try {
                    while (written[0] < FLOOD_BYTES) {
                        out.write(request);
                        written[0] += request.length;
                    }
                } catch (IOException closed) {
                    // the server or this test closed the connection
                }
            });
            client.start();
            Await.until(() -> client.getState() == Thread.State.RUNNABLE || !client.isAlive());
            client.join(5_000);

            assertThat(written[0]).isLessThan(FLOOD_BYTES / 4);
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            assertThat(runtime.totalMemory() - runtime.freeMemory()).isLessThan(200L << 20);
            assertThat(get("/healthz").statusCode()).isEqualTo(200);
        }
    }

    /** By default, Vert.x answers all received requests when it closes the connection, and keeps the answers. */
    @Test
    void client_thatNeverReads_getsNoAnswersAfterTheEnd() throws Exception {
        byte[] request = "GET /v1/auth?policy=api&key=unread HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .repeat(100)
                .getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server().port()));
            Thread client = new Thread(() -> {
                try {
                    for (int i = 0; i < PIPELINED / 100; i++) {
                        socket.getOutputStream().write(request);
                    }
                } catch (IOException closed) {
                    // the server or this test closed the connection
                }
            });
            client.start();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(6); // twice as long as a connection may be idle
            long decided = 0;
            while (System.nanoTime() < end && decided < PIPELINED * 3 / 4) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                decided = 1_000_000
                        - json(get("/v1/keys/unread?policy=api"))
                                .getJsonObject("next")
                                .getLong("remaining");
            }
            assertThat(decided).isBetween(1L, PIPELINED * 3L / 4);
        }
    }

    @Test
    void requests_appearInNoLogLine() throws IOException {
        try (LogLines log = new LogLines("")) {
            decide("{\"key\":\"marker\\r\\nforged\",\"policy\":\"api\"}");
            decide("{\"marker");
            get("/v1/keys/marker%0d%0aforged?policy=api");
            get("/v1/marker%0d%0aforged");
            answer("MARKER marker HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            envoy().send("d", "marker=\r\nforged");
            assertThat(log.lines()).noneMatch(line -> line.contains("marker") || line.contains("forged"));
        }
    }
}
