package dev.weir.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A third-party server on a free port, with its answer to every call and the paths that were called. */
public final class Provider implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private volatile Answer answer = new Answer(200, Map.of());

    /** A status and headers. */
    record Answer(int status, Map<String, String> headers) {}

    /** Starts the server. */
    public Provider() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            paths.add(path);
            Answer current = path.equals("/moved") ? new Answer(302, Map.of("Location", "/new")) : answer;
            current.headers.forEach(
                    (name, value) -> exchange.getResponseHeaders().add(name, value));
            exchange.sendResponseHeaders(current.status, -1);
        }
    }

    /** Sets the answer to all further calls. */
    public void answers(int status, String... namesAndValues) {
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        answer = new Answer(status, headers);
    }

    /** Returns the address of a path. */
    public URI uri(String path) {
        return URI.create("http://localhost:" + server.getAddress().getPort() + path);
    }

    /** Returns the paths that were called, in their order. */
    public List<String> paths() {
        return paths;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
