package dev.weir.server;

import dev.weir.testing.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** Reads the stream of a server's events, on a connection of its own. */
final class EventReader implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket;
    private final BufferedReader lines;

    /**
     * An event.
     *
     * @param name its name
     * @param data its data
     */
    record Event(String name, JsonObject data) {}

    /** Connects, and reads the head of the response. */
    EventReader(WeirServer server) throws IOException {
        this(server, "Accept: text/event-stream");
    }

    /** Connects with a header, and reads the head of the response. */
    EventReader(WeirServer server, String header) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        // Each write of the server is a chunk, so its size is a line between events, which is skipped.
        String request = "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + header + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Reads the status and the headers. */
    String head() {
        StringBuilder head = new StringBuilder();
        for (String line = line(); line != null && !line.isEmpty(); line = line()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }

    /** Returns the next event; fails if there is none within 20 s. */
    Event next() {
        String name = "";
        for (String line = line(); line != null; line = line()) {
            if (line.startsWith("event: ")) {
                name = line.substring("event: ".length());
            } else if (line.startsWith("data: ")) {
                return new Event(name, new JsonObject(line.substring("data: ".length())));
            }
        }
        throw new AssertionError("the stream has ended");
    }

    /** Returns the next event of a name. */
    JsonObject next(String name) {
        return next(name, any -> true);
    }

    /** Returns the next event of a name that fulfils a condition; fails if there is none within {@link Await#TIMEOUT}. */
    JsonObject next(String name, Predicate<JsonObject> condition) {
        AtomicReference<Event> latest = new AtomicReference<>();
        Await.until(
                "there is such a " + name,
                () -> {
                    latest.set(next());
                    return latest.get().name().equals(name)
                            && condition.test(latest.get().data());
                },
                () -> ", the last is " + latest);
        return latest.get().data();
    }

    /** Repeats requests until a frame fulfils a condition, once a second: a frame may be left out. Returns that frame. */
    JsonObject frame(Runnable requests, Predicate<JsonObject> condition) {
        return next("frame", frame -> {
            requests.run();
            return condition.test(frame);
        });
    }

    /**
     * Reads frames until they fulfil a condition. If a state comes between them, since others were left out, the frame with it has
     * the counts of the state, and is the first.
     */
    List<JsonObject> frames(Predicate<List<JsonObject>> complete) {
        List<JsonObject> frames = new ArrayList<>();
        AtomicReference<JsonObject> state = new AtomicReference<>();
        Await.until("the frames are complete", () -> {
            Event event = next();
            if (event.name().equals("state")) {
                state.set(event.data());
                frames.clear();
                return false;
            }
            JsonObject restarted = state.getAndSet(null);
            frames.add(restarted == null ? event.data() : withTotals(event.data(), restarted));
            return complete.test(frames);
        });
        return frames;
    }

    private static JsonObject withTotals(JsonObject frame, JsonObject state) {
        JsonArray limits = new JsonArray();
        for (Object row : state.getJsonArray("limits")) {
            JsonObject limit = (JsonObject) row;
            limits.add(new JsonArray()
                    .add(limit.getInteger("id"))
                    .add(limit.getLong("allowed"))
                    .add(limit.getLong("denied"))
                    .add(limit.getLong("keysDenied")));
        }
        return frame.mergeIn(state.getJsonObject("total")).put("limits", limits);
    }

    /** Reads the remaining events. Returns true when the server has closed the connection. */
    boolean isEnded() {
        String line = line();
        while (line != null) {
            line = line();
        }
        return true;
    }

    private String line() {
        try {
            return lines.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
