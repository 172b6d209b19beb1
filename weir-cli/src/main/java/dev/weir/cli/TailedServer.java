package dev.weir.cli;

import dev.weir.replay.ReplayResult.DeniedKey;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a server, from its stream of events. The counts begin with the first event. The most denied keys are those that the
 * server names: of the last minute. If the stream ends, or sends nothing for 15 s, it is opened again: after one second, and after twice
 * as long, up to 15 s, each time that fails. What is decided meanwhile is not counted.
 */
final class TailedServer implements TailSource {
    private static final long PATIENCE_SECONDS = 10;
    private static final int MOST_LIMITS = 1_000; // a server that changes its limits forever does not fill the memory
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final long FIRST_PAUSE_SECONDS = 1;
    private static final long LONGEST_PAUSE_SECONDS = 15;
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15); // a server sends an event each second

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final HttpRequest request;
    private final Duration longestSilence;
    private volatile InputStream events;
    private volatile String lost = "";
    private final Map<String, LimitCounts> rows = new LinkedHashMap<>(); // by the limit as text; guarded by this
    private final Map<Long, String> byId = new LinkedHashMap<>(); // limits as text; guarded by this
    private long requests; // guarded by this

    private TailedServer(HttpRequest request, Duration longestSilence) throws Unreachable {
        this.request = request;
        this.longestSilence = longestSilence;
        this.events = open();
    }

    /** A server does not serve the stream now, and may do so later. */
    private static final class Unreachable extends Exception {
        private static final long serialVersionUID = 1;

        private final String reason;

        Unreachable(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    /** Returns whether a name is the address of a server, not of a file. */
    static boolean isAddress(String name) {
        return name.startsWith("http://") || name.startsWith("https://");
    }

    /**
     * Connects to a server.
     *
     * @param server its address
     * @param token the token for calls of operators; null if there is none
     * @throws CommandFailure saying why it cannot be watched
     */
    static TailedServer connect(String server, @Nullable String token) {
        return connect(server, token, LONGEST_SILENCE);
    }

    /** Connects to a server that sends something more often than after the given silence. */
    static TailedServer connect(String server, @Nullable String token, Duration longestSilence) {
        URI address = address(server);
        HttpRequest.Builder request = HttpRequest.newBuilder(address).header("Accept", "text/event-stream");
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            return new TailedServer(request.build(), longestSilence);
        } catch (Unreachable e) {
            throw new CommandFailure(e.reason());
        }
    }

    /** Opens the stream. */
    private InputStream open() throws Unreachable {
        HttpResponse<InputStream> response = send(request);
        if (response.statusCode() == OK) {
            return new WatchedStream(response.body(), longestSilence);
        }
        String refusal = refusal(request.uri(), response.statusCode());
        if (response.statusCode() == UNAVAILABLE) {
            throw new Unreachable(refusal);
        }
        throw new CommandFailure(refusal);
    }

    /** Sends a request. The time limit is for the answer, not for the stream that follows. */
    private static HttpResponse<InputStream> send(HttpRequest request) throws Unreachable {
        try {
            return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream())
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new Unreachable("cannot reach " + request.uri() + ": " + reason(e.getCause()));
        } catch (TimeoutException e) {
            throw new Unreachable(request.uri() + " did not answer within " + PATIENCE_SECONDS + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted while connecting to " + request.uri());
        }
    }

    private static URI address(String server) {
        try {
            URI address = URI.create(server.replaceFirst("/+$", "") + "/v1/events");
            if (address.getHost() != null) {
                return address;
            }
        } catch (IllegalArgumentException invalid) {
            // reported below
        }
        throw new CommandFailure("the address of a server must be like http://127.0.0.1:8080, was '" + server + "'");
    }

    private static String refusal(URI address, int status) {
        String hint = switch (status) {
            case 401, 403 -> "; --token-file gives the token of the server's operators";
            case 404 -> "; is it a Weir server, of this version?";
            case 503 -> "; it has as many streams as it serves";
            default -> "";
        };
        return address + " answered " + status + hint;
    }

    private static String reason(@Nullable Throwable failure) {
        String message = failure == null ? null : failure.getMessage();
        if (message == null) { // the JDK's client says only what class the cause has
            boolean unknown = failure != null && failure.getCause() instanceof UnresolvedAddressException;
            return unknown ? "unknown host" : "the connection failed";
        }
        return message.contains("status line")
                ? "its answer is not HTTP/1.1; is this the port of gRPC?" // the JDK's message contains the answer
                : message;
    }

    /** Reads until the thread is interrupted, or the server refuses the stream or sends what is no event. */
    @Override
    public void read() {
        while (!Thread.currentThread().isInterrupted()) {
            String end = readToEnd();
            for (long pause = FIRST_PAUSE_SECONDS; !end.isEmpty(); pause = Math.min(2 * pause, LONGEST_PAUSE_SECONDS)) {
                lost = end + "; next try within " + pause + " s";
                if (!sleep(pause)) {
                    return;
                }
                end = reopen();
            }
            lost = "";
        }
    }

    /** Reads the events of a stream, and returns why it ended. */
    private String readToEnd() {
        try (InputStream stream = events) {
            new EventReader(stream).forEach(this::event);
            return request.uri() + " closed the stream";
        } catch (IOException e) {
            return "the stream of " + request.uri() + " broke: " + reason(e);
        } catch (DecodeException e) {
            throw new CommandFailure("the stream of " + request.uri() + " cannot be read: not JSON");
        }
    }

    /** Opens the stream again. Returns why that failed; empty if it did not. */
    private String reopen() {
        try {
            events = open();
            return "";
        } catch (Unreachable e) {
            return e.reason();
        }
    }

    /** Returns false if the thread is interrupted. */
    private static boolean sleep(long seconds) {
        try {
            TimeUnit.SECONDS.sleep(seconds);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized void event(String name, String data) {
        JsonObject json = object(Json.decodeValue(data));
        if (name.equals("state")) {
            state(json);
        } else if (name.equals("frame")) {
            frame(json);
        }
    }

    /*
     * What is missing from an event, or of another type than expected, is empty or zero: a server of another version may send
     * more or less.
     */

    private static JsonObject object(@Nullable Object value) {
        return value instanceof JsonObject object ? object : new JsonObject();
    }

    private static JsonArray array(@Nullable Object value) {
        return value instanceof JsonArray array ? array : new JsonArray();
    }

    private static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    /** Takes the limits in force. A limit that was there before keeps its counts. */
    private void state(JsonObject json) {
        byId.clear();
        for (Object element : array(json.getValue("limits"))) {
            JsonObject limit = object(element);
            String mode = text(limit.getValue("mode"));
            String text = (text(limit.getValue("rule")) + " " + text(limit.getValue("limit"))).strip()
                    + (mode.isEmpty() || mode.equals("live") ? "" : " (" + mode + ")");
            if (rows.containsKey(text) || rows.size() < MOST_LIMITS) {
                rows.putIfAbsent(text, new LimitCounts(text, 0, 0, List.of()));
                byId.put(number(limit.getValue("id")), text);
            }
        }
    }

    private void frame(JsonObject json) {
        requests += number(json.getValue("allowed")) + number(json.getValue("denied"));
        for (Object element : array(json.getValue("limits"))) {
            JsonArray limit = array(element);
            String text = limit.size() < 3 ? null : byId.get(number(limit.getValue(0)));
            if (text != null) {
                long allowed = number(limit.getValue(1));
                long denied = number(limit.getValue(2));
                rows.computeIfPresent(text, (same, counts) -> counts.plus(allowed, denied));
            }
        }
        Map<String, List<DeniedKey>> top = new HashMap<>();
        for (Object element : array(json.getValue("mostDenied"))) {
            JsonObject key = object(element);
            String text = byId.get(number(key.getValue("id")));
            if (text != null) {
                top.computeIfAbsent(text, none -> new ArrayList<>())
                        .add(new DeniedKey(text(key.getValue("key")), number(key.getValue("deniedPerMinute"))));
            }
        }
        rows.replaceAll((text, counts) -> counts.withTop(List.copyOf(top.getOrDefault(text, List.of()))));
    }

    @Override
    public synchronized TailFrame frame() {
        return new TailFrame(Instant.now(), requests, 0, 0, "", lost, List.copyOf(rows.values()), true);
    }

    @Override
    public void close() throws IOException {
        events.close();
    }
}
