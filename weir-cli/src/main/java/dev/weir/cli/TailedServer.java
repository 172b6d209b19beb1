package dev.weir.cli;

import dev.weir.replay.ReplayResult.DeniedKey;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a server, from its stream of events. The counts begin with the first event; what is decided while there is no stream is
 * not counted. The most denied keys are those that the server names: of the last minute.
 */
final class TailedServer implements TailSource {
    private static final int MOST_LIMITS = 1_000; // a server that changes its limits forever does not fill the memory

    private final ServerEvents events;
    private final Map<String, LimitCounts> rows = new LinkedHashMap<>(); // by the limit as text; guarded by this
    private final Map<Long, String> byId = new LinkedHashMap<>(); // limits as text; guarded by this
    private long requests; // guarded by this

    TailedServer(ServerEvents events) {
        this.events = events;
    }

    @Override
    public void read() {
        events.forEach(this::event);
    }

    private synchronized void event(String name, String data) {
        JsonObject json = object(decode(data));
        if (name.equals("state")) {
            state(json);
        } else if (name.equals("frame")) {
            frame(json);
        }
    }

    private @Nullable Object decode(String data) {
        try {
            return Json.decodeValue(data);
        } catch (DecodeException e) {
            throw new CommandFailure("the stream of " + events.address() + " cannot be read: not JSON");
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
        return new TailFrame(Instant.now(), requests, 0, 0, "", events.lost(), List.copyOf(rows.values()), true);
    }

    @Override
    public void close() throws IOException {
        events.close();
    }
}
