package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.replay.ReplayResult.DeniedKey;
import dev.weir.testing.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code weir tail} of a server that sends events as Weir's does. */
final class TailServerTest {
    private static final String END = "end";
    private static final String STATE = "event: state\ndata: {\"limits\":[{\"id\":1,\"rule\":\"api\",\"limit\":"
            + "\"sliding-log 3/1m\",\"mode\":\"live\",\"of\":null},{\"id\":2,\"rule\":\"api\",\"limit\":"
            + "\"sliding-log 2/1m\",\"mode\":\"candidate\",\"of\":1},{\"id\":3,\"rule\":\"login\",\"limit\":"
            + "\"sliding-log 5/1m\",\"mode\":\"live\",\"of\":null}],\"history\":{\"limits\":{}}}\n\n";
    private static final String FRAME = "event: frame\ndata: {\"second\":1,\"allowed\":5,\"denied\":2,\"limits\":"
            + "[[1,5,2,1],[2,4,3,2]],\"mostDenied\":[{\"key\":\"\\u001bevil\",\"id\":1,\"deniedPerMinute\":9},"
            + "{\"key\":\"ann\",\"id\":1,\"deniedPerMinute\":4}],\"fullest\":[null,{\"x\":[1.5,true]}]}\n\n";

    @TempDir
    private Path directory;

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final AtomicReference<String> authorization = new AtomicReference<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private volatile int status = 200;
    private volatile int laterStatus = 200;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/events", this::serve);
        server.start();
    }

    @AfterEach
    void stop() {
        events.add(END);
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        authorization.set(exchange.getRequestHeaders().getFirst("Authorization"));
        exchange.sendResponseHeaders(status, 0);
        exchange.getResponseBody().flush(); // JDK 25 keeps the headers until then
        status = laterStatus;
        try (exchange) {
            for (String event = next(); !event.equals(END); event = next()) {
                exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
            }
        }
    }

    private String next() {
        try {
            return events.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return END;
        }
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    private String shown() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** The requests of all lines. */
    private int requests() {
        return Pattern.compile("Z  (\\d+) request")
                .matcher(shown())
                .results()
                .mapToInt(line -> Integer.parseInt(line.group(1)))
                .sum();
    }

    @Test
    void tail_server_showsItsDecisions() throws Exception {
        AtomicReference<Run> run = new AtomicReference<>();
        Thread thread =
                new Thread(() -> run.set(new Run.Setup().stdout(out).weir("tail", "--token-file", token(), address())));
        thread.start();
        events.add(STATE + FRAME.substring(0, 40));
        events.add(FRAME.substring(40) + ": a comment\n\n");
        Await.until("the first frame is shown", () -> requests() == 7, this::shown);
        events.add(FRAME + STATE + FRAME);
        Await.until("all are shown", () -> requests() == 21, this::shown);

        thread.interrupt();
        thread.join();

        assertThat(run.get().code()).isZero();
        assertThat(authorization.get()).isEqualTo("Bearer secret");
        assertThat(shown())
                .contains(
                        "  7 requests  api sliding-log 3/1m: 5 allowed, 2 denied, most in the last minute \\x1bevil (9)"
                                + "  api sliding-log 2/1m (candidate): 4 allowed, 3 denied  login sliding-log 5/1m: 0 allowed, 0 denied\n")
                .contains("\n21 requests\n")
                .contains("api sliding-log 3/1m                   15       6  28.6%")
                .containsPattern(
                        "most denied in the last minute by\napi sliding-log 3/1m +api sliding-log 2/1m \\(candidate\\)\n"
                                + "  9  \\\\x1bevil +none in the server's top 20\n  4  ann\n$");
    }

    private String token() {
        try {
            return Files.writeString(directory.resolve("token"), "secret\n").toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void tail_serverThatEndsAndThenRefuses_saysSo() {
        laterStatus = 401;
        events.add(STATE);
        events.add(END);
        events.add(END);

        Run run = Run.weir("tail", address());
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).contains("v1/events closed the stream; next try within 1 s\n");
        assertThat(run.err()).startsWith("weir: " + address() + "v1/events answered 401; --token-file");
    }

    private TailedServer connect(Duration longestSilence) {
        return new TailedServer(ServerEvents.connect(address(), null, longestSilence));
    }

    private static Thread reader(TailedServer tailed) {
        Thread reader = new Thread(tailed::read);
        reader.start();
        return reader;
    }

    @Test
    void tail_serverThatIsSilent_isConnectedAgain() throws Exception {
        try (TailedServer tailed = connect(Duration.ofSeconds(1))) {
            Thread reader = reader(tailed);
            awaitMoreRequests(tailed);
            Await.until("it is lost", () -> tailed.frame().lost().contains("broke: nothing arrived for 1 s; next try"));
            awaitMoreRequests(tailed);

            Await.until("it ends", () -> {
                reader.interrupt(); // which a stream of Java 17 that is read at that time ignores
                return !reader.isAlive();
            });
        }
    }

    private void awaitMoreRequests(TailedServer tailed) {
        long before = tailed.frame().requests();
        Await.until("more requests", () -> {
            events.add(STATE + FRAME);
            return tailed.frame().requests() > before;
        });
    }

    /** Returns a state of a server that counted these decisions of one limit, and twice as many requests, up to a second. */
    private static String state(long started, long second, long allowed, long denied) {
        return """
                event: state
                data: {"server":{"started":"%s"},"total":{"allowed":%s,"denied":%s},"limits":[{"id":1,"rule":"api",\
                "limit":"3/1m","mode":"live","of":null,"allowed":%s,"denied":%s}],"history":{"second":%s,"limits":{}}}

                """.formatted(Instant.ofEpochSecond(started), 2 * allowed, 2 * denied, allowed, denied, second);
    }

    private static String frame(long second, long allowed, long denied) {
        return """
                event: frame
                data: {"second":%s,"allowed":%s,"denied":%s,"limits":[[1,%s,%s,1]],"mostDenied":[]}

                """.formatted(second, 2 * allowed, 2 * denied, allowed, denied);
    }

    @Test
    void tail_eventsThatAreMissed_areCounted() throws Exception {
        try (TailedServer tailed = connect(ServerEvents.LONGEST_SILENCE)) {
            Thread reader = reader(tailed);
            events.add(state(5, 10, 100, 10) + frame(11, 5, 2));
            awaitCounts(tailed, 14, 5, 2);
            events.add(state(5, 20, 150, 20) + frame(20, 3, 1)); // a state has the decisions of its second
            awaitCounts(tailed, 120, 50, 10);
            DeniedKey ann = new DeniedKey("ann", 9);
            events.add(frame(21, 1, 0).replace("[]", "[{\"key\":\"ann\",\"id\":1,\"deniedPerMinute\":9}]"));
            awaitCounts(tailed, 122, 51, 10, ann);
            events.add(END); // and it connects again
            events.add(state(5, 30, 160, 30));
            awaitCounts(tailed, 160, 60, 20, ann);
            events.add(END);
            events.add(state(33, 40, 4, 3)); // it has restarted
            awaitCounts(tailed, 174, 64, 23);
            events.add(frame(41, 1, 1));
            awaitCounts(tailed, 178, 65, 24);
            events.add(END);
            events.add(state(2, 50, 900, 90) + frame(51, 1, 0)); // another server answers
            awaitCounts(tailed, 180, 66, 24);
            reader.interrupt();
        }
    }

    private static void awaitCounts(TailedServer tailed, long requests, long allowed, long denied, DeniedKey... top) {
        LimitCounts counts = new LimitCounts("api 3/1m", allowed, denied, List.of(top));
        Await.until(
                requests + " requests, " + counts,
                () -> tailed.frame().requests() == requests
                        && tailed.frame().rows().equals(List.of(counts)),
                () -> tailed.frame().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "null",
                "{\"allowed\":\"5\",\"denied\":null,\"limits\":{\"1\":2},\"mostDenied\":[7]}",
                "{\"limits\":[[1],[],null,[1,\"5\",[]]],\"mostDenied\":[{\"id\":1,\"key\":7}]}"
            })
    void tail_membersOfOtherTypes_areEmptyOrZero(String frame) throws Exception {
        try (TailedServer tailed = connect(ServerEvents.LONGEST_SILENCE)) {
            Thread reader = reader(tailed);
            events.add(STATE + "event: frame\ndata: " + frame + "\n\n" + FRAME);
            Await.until("the next frame counts", () -> tailed.frame().requests() == 7);
            reader.interrupt();
        }
    }

    @Test
    void tail_eventThatIsNotJson_saysSo() {
        events.add("event: frame\ndata: {\"allowed\":\n\n");

        assertThat(Run.weir("tail", address()).complaint())
                .startsWith("the stream of " + address() + "v1/events cannot be read: not JSON");
    }

    @ParameterizedTest
    @CsvSource({
        "401, --token-file gives the token of the server's operators",
        "308, 'redirects are not followed, such as one to https'"
    })
    void tail_serverThatRefuses_saysWhatHelps(int refusal, String hint) {
        status = refusal;
        events.add(END);

        assertThat(Run.weir("tail", address()).complaint())
                .isEqualTo(address() + "v1/events answered " + refusal + "; " + hint);
    }

    /** Of a proxy whose server is down, for example, every few seconds. */
    @Test
    void tail_longRefusal_closesItsConnection() throws Exception {
        try (ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "http://127.0.0.1:" + proxy.getLocalPort();
            AtomicReference<Run> run = new AtomicReference<>();
            Thread thread = new Thread(() -> run.set(Run.weir("tail", address)));
            thread.start();
            try (Socket call = proxy.accept()) {
                call.setSoTimeout(60_000);
                String head = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 40000\r\n\r\n";
                call.getOutputStream().write((head + "x".repeat(20_000)).getBytes(StandardCharsets.US_ASCII));
                thread.join();

                assertThat(run.get().complaint()).endsWith("; it, or a proxy before it, has no room or is down");
                assertThat(new String(call.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("GET /v1/events HTTP/1.1");
            }
        }
    }

    @Test
    void tail_noServer_saysSo() {
        String address = address();
        server.stop(0);

        assertThat(Run.weir("tail", address).complaint()).startsWith("cannot reach " + address + "v1/events: ");
        assertThat(Run.weir("tail", "http://").complaint()).startsWith("the address of a server must be like");
    }

    @Test
    void tail_unknownHost_saysSo() {
        String tooLong = "http://" + "a".repeat(64); // for a label, so no name server is queried

        assertThat(Run.weir("tail", tooLong).complaint())
                .isEqualTo("cannot reach " + tooLong + "/v1/events: unknown host");
    }

    /** The first frame of an HTTP/2 server has bytes that must not reach a terminal. */
    @Test
    void tail_portOfGrpc_saysSo() throws Exception {
        try (ServerSocket grpc = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answer = new Thread(() -> {
                try (Socket call = grpc.accept()) {
                    call.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0, '\n'});
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            answer.start();
            String address = "http://127.0.0.1:" + grpc.getLocalPort();

            assertThat(Run.weir("tail", address).complaint())
                    .isEqualTo("cannot reach " + address
                            + "/v1/events: its answer is not HTTP/1.1; is this the port of gRPC?");
            answer.join();
        }
    }

    /** A late answer would be a stream that nobody reads, one of the few that a server has. */
    @Test
    void tail_serverThatDoesNotAnswer_isDisconnected() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> Run.weir("tail", "http://127.0.0.1:" + silent.getLocalPort()));
            thread.start();
            try (Socket call = silent.accept()) {
                call.setSoTimeout(10_000);
                assertThat(call.getInputStream().read()).isEqualTo('G');
                thread.interrupt();
                thread.join();

                assertThat(new String(call.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("ET /v1/events HTTP/1.1");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--limit=1/1m", "--key=user", "--from-start", "--max-keys=10", "--year=2025"})
    void tail_optionsOfLogs_areRefusedForServers(String option) {
        assertThat(Run.weir("tail", option, address()).complaint())
                .isEqualTo(option.split("=", -1)[0] + " is for logs; a server shows its own limits");
    }

    @Test
    void tail_optionsOfServers_areRefusedForLogs() {
        assertThat(Run.weir("tail", "--token-file", token(), "-").complaint())
                .isEqualTo("--token-file is for servers; a log needs none");
    }

    /** A file named by mistake may hold another secret, which must not be shown. */
    @Test
    void tail_fileThatIsNoToken_isRefusedWithoutItsContent() throws IOException {
        Path key = Files.writeString(directory.resolve("key.pem"), "-----BEGIN PRIVATE KEY-----\nsecret\n");

        assertThat(Run.weir("tail", "--token-file", key.toString(), address()).complaint())
                .isEqualTo("--token-file: " + key + " must contain one line of ASCII without spaces");
    }
}
