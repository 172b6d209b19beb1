package dev.weir.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The HTTP side of the server, on event loops of its own. Thread-safe. */
final class HttpServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");
    private static final FileSystemOptions NO_FILES =
            new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
    private static final int ANY_SHARED_PORT = -1;
    private static final int MAX_BODY_BYTES = 64 << 10;
    private static final int IDLE_SECONDS = 60;
    private static final long REQUEST_MILLIS = 10_000;
    private static final long START_SECONDS = 20;
    private static final long DRAIN_SECONDS = 10;
    private static final int MAX_CONNECTIONS = 10_000;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_LARGE = 413;
    private static final int UNAVAILABLE = 503;

    private final Vertx vertx;
    private final AtomicInteger port = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();

    private HttpServer(Vertx vertx) {
        this.vertx = vertx;
    }

    /**
     * Starts listening.
     *
     * @throws IOException if the address or the files of TLS cannot be used
     */
    static HttpServer start(ServerSettings settings, HttpApi api, EventStreams streams) throws IOException {
        int loops = Runtime.getRuntime().availableProcessors();
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops).setFileSystemOptions(NO_FILES));
        HttpServer server = new HttpServer(vertx);
        HttpServerOptions options = new HttpServerOptions()
                .setHost(settings.host)
                .setPort(settings.port == 0 ? ANY_SHARED_PORT : settings.port)
                .setHttp2ClearTextEnabled(false)
                .setIdleTimeout(IDLE_SECONDS);
        if (settings.tls != null) {
            settings.tls.applyTo(options);
        }
        DeploymentOptions deployment = new DeploymentOptions().setInstances(loops);
        try {
            await(vertx.deployVerticle(() -> server.new Listener(options, api, streams), deployment), START_SECONDS);
            return server;
        } catch (IOException failure) {
            server.close();
            throw failure;
        }
    }

    int port() {
        return port.get();
    }

    /** Accepts connections on one event loop; all instances share the port. */
    private final class Listener extends VerticleBase {
        private final HttpServerOptions options;
        private final HttpApi api;
        private final EventStreams streams;
        private final Map<HttpConnection, Long> waiting =
                new HashMap<>(); // timers of connections without a request yet
        private io.vertx.core.http.@Nullable HttpServer listening;

        Listener(HttpServerOptions options, HttpApi api, EventStreams streams) {
            this.options = options;
            this.api = api;
            this.streams = streams;
        }

        @Override
        public Future<?> start() {
            return vertx.createHttpServer(options)
                    .connectionHandler(this::accept)
                    .requestHandler(this::read)
                    .listen()
                    .onSuccess(started -> {
                        listening = started;
                        port.set(started.actualPort());
                    });
        }

        /** Closes a connection if there are too many, or if its first request does not arrive in time. */
        private void accept(HttpConnection connection) {
            boolean tooMany = connections.incrementAndGet() > MAX_CONNECTIONS;
            connection.closeHandler(closed -> {
                connections.decrementAndGet();
                cancelTimer(connection);
            });
            if (tooMany) {
                close(connection);
            } else {
                waiting.put(connection, vertx.setTimer(REQUEST_MILLIS, late -> close(connection)));
            }
        }

        private void cancelTimer(HttpConnection connection) {
            Long timer = waiting.remove(connection);
            if (timer != null) {
                vertx.cancelTimer(timer);
            }
        }

        /** Waits for the requests that are open. */
        @Override
        public Future<?> stop() {
            return listening == null ? Future.succeededFuture() : listening.shutdown(DRAIN_SECONDS, TimeUnit.SECONDS);
        }

        /** Reads the body, which must arrive in time and not be too large, and then answers. */
        private void read(HttpServerRequest request) {
            cancelTimer(request.connection());
            Buffer body = Buffer.buffer();
            long timer = vertx.setTimer(
                    REQUEST_MILLIS,
                    fired -> refuse(request, new HttpProblem(REQUEST_TIMEOUT, "the body did not arrive in time")));
            request.handler(chunk -> {
                if (body.length() + chunk.length() <= MAX_BODY_BYTES) {
                    body.appendBuffer(chunk);
                } else {
                    vertx.cancelTimer(timer);
                    refuse(
                            request,
                            new HttpProblem(TOO_LARGE, "the body must be at most " + MAX_BODY_BYTES + " bytes"));
                }
            });
            request.exceptionHandler(closed -> vertx.cancelTimer(timer));
            request.endHandler(ended -> {
                vertx.cancelTimer(timer);
                if (!request.response().ended()) {
                    answer(request, body.toString());
                }
            });
        }

        /** A store on Redis answers on an event loop of its own; the response is sent on that of its connection. */
        private void answer(HttpServerRequest request, String body) {
            HttpCall call = new HttpCall(
                    request.method().name(),
                    request.uri(),
                    request.headers()::getAll,
                    request.remoteAddress().hostAddress(),
                    body);
            CompletableFuture<HttpReply> reply = api.handle(call);
            if (reply.isDone()) {
                respond(request.response(), reply.join());
            } else {
                CompletableFuture<Void> unused =
                        reply.thenAccept(late -> context.runOnContext(onLoop -> respond(request.response(), late)));
            }
        }

        private void respond(HttpServerResponse response, HttpReply reply) {
            if (!reply.isStream()) {
                send(response, reply);
                return;
            }
            begin(response, reply);
            if (!streams.open(response, context, reply.body())) {
                send(response, HttpReply.problem(new HttpProblem(UNAVAILABLE, "there are too many streams"), Map.of()));
            }
        }
    }

    /** Answers a request whose body is not read to its end, and closes the connection. */
    private static void refuse(HttpServerRequest request, HttpProblem problem) {
        if (!request.response().ended()) {
            request.response().putHeader(HttpHeaderNames.CONNECTION, "close");
            send(request.response(), HttpReply.problem(problem, Map.of()));
        }
        close(request.connection());
    }

    private static void close(HttpConnection connection) {
        Future<Void> unused = connection.close();
    }

    private static void send(HttpServerResponse response, HttpReply reply) {
        begin(response, reply);
        Future<Void> unused = response.send(reply.body());
    }

    private static void begin(HttpServerResponse response, HttpReply reply) {
        response.setStatusCode(reply.status());
        reply.headers().forEach(response::putHeader);
        if (!reply.type().isEmpty()) {
            response.putHeader(HttpHeaderNames.CONTENT_TYPE, reply.type());
        }
    }

    private static void await(Future<?> future, long seconds) throws IOException {
        try {
            future.await(seconds, TimeUnit.SECONDS);
        } catch (Exception failure) { // also those that the method does not declare
            throw new IOException(failure.getMessage(), failure);
        }
    }

    /** Stops listening, and waits for the requests that are open. */
    @Override
    public void close() {
        try {
            await(vertx.close(), 2 * DRAIN_SECONDS);
        } catch (IOException late) {
            LOG.log(Level.WARNING, "HTTP requests were open at the end: " + late.getMessage());
        }
    }
}
