package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.Certificate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP/2, whose connections have a stream for each request. The client has one connection. */
final class Http2Test extends ServerTest {
    private static final Buffer TOO_LARGE = Buffer.buffer("x".repeat((64 << 10) + 1));
    private static final String BODY = "{\"key\":\"k\",\"policy\":\"api\"}";
    private static final int WINDOW_BYTES = 16 << 20; // of a connection

    private static final Vertx VERTX = Vertx.vertx();

    private HttpClient client;

    private void start(ServerSettings settings, HttpClientOptions options) throws Exception {
        Certificate own = Certificate.create(directory, "server");
        start(settings.tls(own.certificate(), own.key(), null), THREE_A_DAY);
        client = VERTX.createHttpClient(options.setProtocolVersion(HttpVersion.HTTP_2)
                .setSsl(true)
                .setUseAlpn(true)
                .setTrustAll(true)
                .setVerifyHost(false));
    }

    @AfterEach
    void close() throws Exception {
        await(client.close());
    }

    @AfterAll
    static void stopLoops() throws Exception {
        await(VERTX.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(20, TimeUnit.SECONDS);
    }

    private Future<HttpClientRequest> request(HttpMethod method, String path) {
        return client.request(method, server().port(), "127.0.0.1", path);
    }

    /** Begins a request whose body is not sent to its end. */
    private HttpClientRequest begin(Buffer body) throws Exception {
        HttpClientRequest request = await(request(HttpMethod.POST, "/v1/decide"));
        await(request.setChunked(true).write(body));
        return request;
    }

    /** Returns the status of a request with the given host name. */
    private int status(String path, String name) throws Exception {
        RequestOptions request = new RequestOptions()
                .setServer(SocketAddress.inetSocketAddress(server().port(), "127.0.0.1"))
                .setHost(name)
                .setPort(server().port())
                .setURI(path);
        return await(client.request(request).compose(HttpClientRequest::send).map(HttpClientResponse::statusCode));
    }

    @ParameterizedTest
    @CsvSource({"localhost, 200", "127.0.0.1, 200", "[::1], 200", "evil.example, 403"})
    void request_withoutToken_isAnsweredToNamesOfThisMachine(String name, int status) throws Exception {
        start(new ServerSettings(), new HttpClientOptions());

        assertThat(status("/healthz", name)).isEqualTo(200);
        assertThat(status("/v1/configuration", name)).isEqualTo(status);
    }

    /** It has no path, and no end. */
    @Test
    void connect_isRefused() throws Exception {
        start(new ServerSettings(), new HttpClientOptions());
        HttpClientRequest connect = await(request(HttpMethod.CONNECT, ""));

        assertThat(await(connect.connect()).statusCode()).isEqualTo(501);

        HttpClientRequest next = await(request(HttpMethod.GET, "/healthz"));
        assertThat(next.connection()).isSameAs(connect.connection());
        assertThat(await(next.send()).statusCode()).isEqualTo(200);
    }

    @Test
    void body_tooLarge_isRefused() throws Exception {
        start(new ServerSettings(), new HttpClientOptions());

        HttpClientResponse refused =
                await(request(HttpMethod.POST, "/v1/decide").compose(request -> request.send(TOO_LARGE)));

        assertThat(refused.version()).isEqualTo(HttpVersion.HTTP_2);
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.getHeader("Connection")).isNull(); // HTTP/2 forbids it, and clients drop such an answer
    }

    @Test
    void body_tooLarge_endsItsStreamOnly() throws Exception {
        start(new ServerSettings(), new HttpClientOptions());
        HttpClientRequest other = begin(Buffer.buffer(BODY.substring(0, 5)));
        HttpClientRequest refused = await(request(HttpMethod.POST, "/v1/decide"));
        CompletableFuture<Throwable> reset = new CompletableFuture<>();
        refused.exceptionHandler(reset::complete);

        await(refused.setChunked(true).write(TOO_LARGE));

        assertThat(await(refused.response()).statusCode()).isEqualTo(413);
        assertThat(reset)
                .succeedsWithin(Duration.ofSeconds(20))
                .isInstanceOfSatisfying(
                        StreamResetException.class,
                        failure -> assertThat(failure.getCode()).isZero());
        await(other.end(BODY.substring(5)));
        assertThat(await(other.response()).statusCode()).isEqualTo(200);
        assertThat(refused.connection()).isSameAs(other.connection());
    }

    @Test
    void body_late_endsItsStreamOnly() throws Exception {
        ServerSettings settings = new ServerSettings();
        settings.requestMillis = 2_000;
        start(settings, new HttpClientOptions());

        HttpClientRequest late = begin(Buffer.buffer(BODY.substring(0, 5)));

        assertThat(await(late.response()).statusCode()).isEqualTo(408);
        HttpClientRequest next = await(request(HttpMethod.GET, "/healthz"));
        assertThat(next.connection()).isSameAs(late.connection());
        assertThat(await(next.send()).statusCode()).isEqualTo(200);
    }

    @Test
    void bodies_incomplete_oldestStreamIsEnded() throws Exception {
        ServerSettings settings = new ServerSettings();
        settings.openRequestBytes = 400 << 10; // half of it for requests: more than one takes, less than two
        start(settings, new HttpClientOptions());

        HttpClientRequest oldest = begin(Buffer.buffer(new byte[60_000]));
        HttpClientRequest next = begin(Buffer.buffer(new byte[60_000]));

        assertThat(await(oldest.response()).statusCode()).isEqualTo(503);
        await(next.end());
        assertThat(await(next.response()).statusCode()).isEqualTo(400); // it is no JSON
        assertThat(next.connection()).isSameAs(oldest.connection());
    }

    /** What is on its way when a body is refused takes part of the window of the connection, and is answered with a reset each. */
    @Test
    void bodies_refused_leaveTheConnectionUsable() throws Exception {
        start(new ServerSettings(), new HttpClientOptions());
        HttpClientRequest first = await(request(HttpMethod.GET, "/healthz"));
        Buffer more = Buffer.buffer(new byte[4 * TOO_LARGE.length()]);

        for (int sent = 0; sent < WINDOW_BYTES; sent += TOO_LARGE.length()) {
            HttpClientRequest refused = await(request(HttpMethod.POST, "/v1/decide"));
            Future<Void> unused = refused.setChunked(true).write(more);
            assertThat(await(refused.response()).statusCode()).isEqualTo(413);
        }

        HttpClientRequest next = begin(Buffer.buffer(BODY));
        await(next.end());
        assertThat(await(next.response()).statusCode()).isEqualTo(200);
        assertThat(next.connection()).isSameAs(first.connection());
    }

    /** HTTP/2 lets a client open no window for answers, which then wait in the server. */
    @ParameterizedTest
    @CsvSource({"GET, ''", "POST, too large"})
    void answers_notRead_connectionIsClosed(String method, String body) throws Exception {
        ServerSettings settings = new ServerSettings();
        settings.openRequestBytes = 60 << 10; // half of it for answers: more than one takes, less than all
        start(settings, new HttpClientOptions().setInitialSettings(new Http2Settings().setInitialWindowSize(0)));
        List<Future<Buffer>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(request(HttpMethod.valueOf(method), "/openapi.json")
                    .compose(request -> request.send(body.isEmpty() ? Buffer.buffer() : TOO_LARGE))
                    .compose(HttpClientResponse::body));
        }

        assertThatThrownBy(() -> await(answers.get(0))).isNotInstanceOf(TimeoutException.class);
        assertThat(status("/healthz", "localhost")).isEqualTo(200);
    }

    /** Half of the memory is for answers, and a large one counts as a quarter of that. */
    @ParameterizedTest
    @CsvSource({"20, 1", "48, 2"})
    void answers_largerThanTheirShare_areReadAsAWhole(long kibibytes, int calls) throws Exception {
        ServerSettings settings = new ServerSettings();
        settings.openRequestBytes = kibibytes << 10;
        start(settings, new HttpClientOptions().setInitialSettings(new Http2Settings().setInitialWindowSize(1_000)));
        List<Future<Buffer>> answers = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            answers.add(request(HttpMethod.GET, "/openapi.json")
                    .compose(HttpClientRequest::send)
                    .compose(HttpClientResponse::body));
        }

        for (Future<Buffer> answer : answers) {
            assertThat(await(answer).length()).isGreaterThan(12 << 10);
            assertThat(new JsonObject(await(answer)).containsKey("openapi")).isTrue();
        }
    }

    /** Otherwise the timer of the connection waits for an answer that never ends. */
    @Test
    void eventStream_reset_connectionIsClosedWhenIdle() throws Exception {
        ServerSettings settings = new ServerSettings();
        settings.keepAliveMillis = 1_000;
        start(settings, new HttpClientOptions());
        HttpClientRequest stream = await(request(HttpMethod.GET, "/v1/events"));
        CompletableFuture<Void> closed = new CompletableFuture<>();
        stream.connection().closeHandler(closed::complete);
        assertThat(await(stream.send()).statusCode()).isEqualTo(200);

        await(stream.reset());

        assertThat(closed).succeedsWithin(Duration.ofSeconds(30)); // half as long as any connection may be silent
    }
}
