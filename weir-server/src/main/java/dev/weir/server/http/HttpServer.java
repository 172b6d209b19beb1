package dev.weir.server.http;

import dev.weir.server.decision.ServerMetrics;
import dev.weir.server.net.MemoryBounds;
import dev.weir.server.net.OpenRequests;
import dev.weir.server.net.SocketSettings;
import dev.weir.server.net.TlsMaterial;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.Http2ServerConfig;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerConfig;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The HTTP side of the server, on event loops of its own. Thread-safe. */
public final class HttpServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");
    private static final FileSystemOptions NO_FILES =
            new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
    private static final Pattern ABSOLUTE_FORM = Pattern.compile("[^/?#]+://([^/?#]*)");
    private static final int MAX_BODY_BYTES = 64 << 10;
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final long START_SECONDS = 20;
    private static final long DRAIN_SECONDS = 10;
    private static final int MAX_RESETS_PER_SECOND = 1_000; // of a connection, each way
    private static final int LOOPS = MemoryBounds.eventLoops();

    private final SocketSettings settings;
    private final HttpApi api;
    private final EventStreams streams;
    private final ServerMetrics metrics;
    private final HttpTransport transport = new HttpTransport();
    private final Vertx vertx = Vertx.builder()
            .with(new VertxOptions().setEventLoopPoolSize(LOOPS).setFileSystemOptions(NO_FILES))
            .withTransport(transport)
            .build();
    private final Queue<io.vertx.core.http.HttpServer> listening =
            new ConcurrentLinkedQueue<>(); // one for each event loop
    private volatile boolean stopping;

    private HttpServer(SocketSettings settings, HttpApi api, EventStreams streams, ServerMetrics metrics) {
        this.settings = settings;
        this.api = api;
        this.streams = streams;
        this.metrics = metrics;
    }

    /**
     * Starts listening.
     *
     * @param material the certificates, or null for plain text
     * @throws IOException if the address or the certificates cannot be used
     */
    public static HttpServer start(
            SocketSettings settings,
            @Nullable TlsMaterial material,
            HttpApi api,
            EventStreams streams,
            ServerMetrics metrics)
            throws IOException {
        HttpServer server = new HttpServer(settings, api, streams, metrics);
        HttpServerConfig config = new HttpServerConfig().setIdleTimeout(IDLE).setHandle100ContinueAutomatically(true);
        ServerSSLOptions tls = material == null ? null : material.forHttp();
        if (tls == null) {
            config.setVersions(HttpVersion.HTTP_1_0, HttpVersion.HTTP_1_1);
        } else {
            config.setHttp2Config(http2());
        }
        Supplier<Listener> listeners = () -> server.new Listener(server.vertx.createHttpServer(config, tls));
        try {
            await(server.vertx.deployVerticle(listeners, new DeploymentOptions().setInstances(LOOPS)), START_SECONDS);
            return server;
        } catch (IOException failure) {
            server.close();
            throw settings.cannotListen(failure);
        }
    }

    /**
     * Returns the settings of HTTP/2. A client may send as much ahead as a body may have, not 1 MiB: what arrives after a refusal is
     * dropped, and Netty answers each piece with a reset.
     */
    private static Http2ServerConfig http2() {
        Http2ServerConfig config = new Http2ServerConfig();
        config.getInitialSettings().setInitialWindowSize(MAX_BODY_BYTES);
        return config.setRstFloodMaxRstFramePerWindow(MAX_RESETS_PER_SECOND)
                .setRstFloodWindowDuration(Duration.ofSeconds(1));
    }

    public int port() {
        return listening.element().actualPort();
    }

    /**
     * Gives new connections other certificates.
     *
     * @throws IOException if they cannot be used
     */
    public void replace(TlsMaterial material) throws IOException {
        io.vertx.core.http.HttpServer any = listening.element(); // they share the port and its certificates
        await(any.updateSSLOptions(material.forHttp()), START_SECONDS);
    }

    /** Accepts connections on one event loop; all instances share the port. */
    private final class Listener extends VerticleBase {
        private final io.vertx.core.http.HttpServer own;
        private final RequestTimers timers =
                new RequestTimers(HttpServer.this.vertx, settings.requestMillis(), settings.keepAliveMillis());
        private final OpenRequests incomplete = new OpenRequests(settings.openRequestBytes() / 2);
        private final OpenRequests untaken = // with an answer; apart, else a refusal could lead to the next one
                new OpenRequests(settings.openRequestBytes() / 2);
        private final long largestCounted = settings.openRequestBytes() / 8; // so that three large answers fit

        Listener(io.vertx.core.http.HttpServer own) {
            this.own = own;
        }

        @Override
        public Future<?> start() {
            SocketAddress address = settings.port() == 0
                    ? SocketAddress.sharedRandomPort(1, settings.host())
                    : SocketAddress.inetSocketAddress(settings.port(), settings.host());
            return own.connectionHandler(this::accept)
                    .requestHandler(this::read)
                    .listen(address)
                    .onSuccess(listening::add);
        }

        /** Closes a connection if no whole request arrives in time, or if its head has very many lines. */
        private void accept(HttpConnection connection) {
            connection.closeHandler(closed -> timers.closed(connection));
            timers.opened(connection);
            transport.guard(connection);
        }

        /**
         * Closes each connection after its next answer. Those on which no request arrives within the grace period are closed then, so
         * that a client that sends just as the server stops is answered. Waits for the requests that are open.
         */
        @Override
        public Future<?> stop() {
            return timers.allClosed(settings.stopGraceMillis())
                    .compose(closed -> own.shutdown(DRAIN_SECONDS, TimeUnit.SECONDS));
        }

        /** Answers a request, unless its connection is closed, or being closed. */
        private void read(HttpServerRequest request) {
            Handler<Void> answered = timers.began(request.connection());
            if (answered != null) {
                request.response().endHandler(answered).closeHandler(answered);
                new Exchange(request).read();
            }
        }

        /** A request, from its head until the client has taken the answer. */
        private final class Exchange {
            private final HttpServerRequest request;
            private final HttpServerResponse response;
            private final boolean http2;
            private final long ownBytes; // the memory that the request takes without its body
            private final long began = System.nanoTime();

            Exchange(HttpServerRequest request) {
                this.request = request;
                this.response = request.response();
                this.http2 = request.version() == HttpVersion.HTTP_2;
                int headers = 0;
                long textBytes = request.uri() == null ? 0 : request.uri().length(); // null of CONNECT over HTTP/2
                for (Map.Entry<String, String> header : request.headers()) {
                    headers++;
                    textBytes += header.getKey().length() + header.getValue().length();
                }
                this.ownBytes = MemoryBounds.requestBytes(headers, textBytes);
            }

            /** Reads the body, which must arrive in time and not be too large, and then answers. The first outcome counts. */
            void read() {
                Promise<Buffer> body = Promise.promise();
                int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
                List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
                boolean chunked = codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked");
                if (request.method().equals(HttpMethod.CONNECT)) {
                    body.fail(new HttpProblem(501, "the method must not be CONNECT: this is no proxy"));
                } else if (hosts > 1 || (request.version() == HttpVersion.HTTP_1_1 && request.authority() == null)) {
                    body.fail(HttpProblem.badRequest("there must be one header Host, and it must be valid"));
                } else if (!codings.isEmpty() && !chunked) { // else its body would be the next request
                    body.fail(new HttpProblem(501, "the only transfer coding is chunked"));
                }
                OpenRequests.OpenRequest arriving = incomplete.add(
                        ownBytes, () -> body.tryFail(new HttpProblem(503, "too many requests are incomplete")));
                long timer = vertx.setTimer(
                        settings.requestMillis(),
                        fired -> body.tryFail(new HttpProblem(408, "the body did not arrive in time")));
                Buffer arrived = Buffer.buffer();
                request.handler(chunk -> {
                    if (arrived.length() + chunk.length() <= MAX_BODY_BYTES) {
                        arrived.appendBuffer(chunk);
                        arriving.received(2L * chunk.length()); // a buffer that grows has room for as much again
                    } else {
                        body.tryFail(new HttpProblem(413, "the body must be at most " + MAX_BODY_BYTES + " bytes"));
                    }
                });
                request.exceptionHandler(failure -> {
                    boolean isClosed = failure instanceof IOException || failure instanceof VertxException;
                    body.tryFail(isClosed ? failure : HttpProblem.badRequest("the body cannot be decoded"));
                });
                request.endHandler(ended -> body.tryComplete(arrived));
                body.future().onComplete(complete -> {
                    vertx.cancelTimer(timer);
                    arriving.remove();
                    if (complete.succeeded()) {
                        answer(complete.result());
                    } else if (complete.cause() instanceof HttpProblem problem) {
                        refuse(problem);
                    }
                });
            }

            /**
             * Answers a request whose body is not read to its end, and drops the rest of it. Then the client is told to stop sending: over
             * HTTP/2 its stream is reset, as RFC 9113 (8.1) has it, and otherwise the connection is closed.
             */
            private void refuse(HttpProblem problem) {
                request.handler(null).endHandler(null); // which keep what has arrived
                Future<Void> sent = sendLast(HttpReply.problem(problem));
                if (http2) {
                    Future<Void> unused = sent.compose(taken -> response.reset(Http2Error.NO_ERROR.code()));
                }
            }

            /** A store on Redis answers on an event loop of its own; the response is sent on that of its connection. */
            private void answer(Buffer body) {
                String query = request.query();
                HttpCall call = new HttpCall(
                        request.version() == HttpVersion.HTTP_1_0,
                        request.method().name(),
                        HttpCall.escaped(request.path()), // of the absolute form, too
                        query == null ? "" : HttpCall.escaped(query),
                        this::values,
                        request.remoteAddress().hostAddress(),
                        body);
                CompletableFuture<HttpReply> reply = api.handle(call);
                if (reply.isDone()) {
                    respond(reply.join());
                } else {
                    CompletableFuture<Void> unused =
                            reply.thenAccept(late -> context.runOnContext(onLoop -> respond(late)));
                }
            }

            /** Returns the values of a header. The authority of HTTP/2 or of a target in absolute form replaces the header Host. */
            private List<String> values(String name) {
                if (HttpHeaderNames.HOST.contentEqualsIgnoreCase(name)) {
                    HostAndPort authority = http2 ? request.authority(true) : null;
                    Matcher absolute = ABSOLUTE_FORM.matcher(request.uri());
                    if (authority != null) {
                        return List.of(authority.toString());
                    } else if (absolute.lookingAt()) {
                        return List.of(absolute.group(1));
                    }
                }
                return request.headers().getAll(name);
            }

            private void respond(HttpReply reply) {
                if (!reply.isStream()) {
                    Future<Void> unused = stopping ? sendLast(reply) : send(reply);
                    return;
                }
                begin(reply);
                if (streams.open(response, context, reply.body())) {
                    count(reply);
                } else {
                    respond(HttpReply.problem(new HttpProblem(503, "there are too many streams")));
                }
            }

            /**
             * Sends the last answer of a connection of HTTP/1.1 and closes it: requests behind this one are not decided, as RFC 9112
             * (9.6) has it. HTTP/2 has frames for this, and forbids the header.
             */
            private Future<Void> sendLast(HttpReply reply) {
                if (http2) {
                    return send(reply);
                }
                response.putHeader(HttpHeaderNames.CONNECTION, "close");
                timers.last(request.connection()); // Vert.x passes on the next request while it sends
                Future<Void> taken = send(reply);
                Future<Void> unused = request.connection().close();
                return taken;
            }

            /** Counts the answer until the client has taken it. If that takes too much memory, its connection is closed. */
            private Future<Void> send(HttpReply reply) {
                if (stopping && http2) {
                    Future<Void> unused = request.connection().shutdown(DRAIN_SECONDS, TimeUnit.SECONDS);
                }
                begin(reply);
                count(reply);
                Future<Void> taken = response.send(reply.body());
                if (taken.isComplete()) {
                    return taken;
                }
                OpenRequests.OpenRequest waiting = untaken.add(ownBytes, () -> transport.abort(request.connection()));
                waiting.received(Math.min(reply.body().length(), largestCounted));
                return taken.onComplete(ended -> waiting.remove());
            }

            private void count(HttpReply reply) {
                metrics.answered(api.nameOf(request.path()), String.valueOf(reply.status()), System.nanoTime() - began);
            }

            private void begin(HttpReply reply) {
                response.setStatusCode(reply.status());
                if (!request.method().equals(HttpMethod.POST)) { // whose answers no cache keeps
                    response.putHeader(HttpHeaderNames.CACHE_CONTROL, "no-store"); // unless the reply says otherwise
                    response.putHeader("X-Content-Type-Options", "nosniff"); // it may contain keys
                }
                reply.headers().forEach(response::putHeader);
                if (!reply.type().isEmpty()) {
                    response.putHeader(HttpHeaderNames.CONTENT_TYPE, reply.type());
                }
            }
        }
    }

    private static void await(Future<?> future, long seconds) throws IOException {
        try {
            future.await(seconds, TimeUnit.SECONDS);
        } catch (Exception failure) { // also those that the method does not declare
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new IOException(failure.getMessage(), failure);
        }
    }

    /** Stops listening, and waits for the requests that are open. */
    @Override
    public void close() {
        stopping = true; // who finds that nothing listens gets the notice with the next answer
        transport.stopListening();
        try {
            await(vertx.close(), 2 * DRAIN_SECONDS);
        } catch (IOException late) {
            LOG.log(Level.WARNING, "not all HTTP requests were waited for at the end: " + late.getCause());
        }
    }
}
