package dev.weir.cli;

import dev.weir.replay.ReplayResult.DeniedKey;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a server since the first of its events. A state has the counts since the server started, so what is decided while
 * there is no stream, or while this reads too slowly, is counted, too: by this server or, if it restarts meanwhile, by its successor, but
 * not by one that has been running beside it. The most denied keys are those that the server names: of the last minute.
 */
final class TailedServer implements TailSource {
    private static final int MOST_LIMITS = 1_000; // a server that changes its limits forever does not fill the memory

    private final ServerEvents events;
    private final Map<String, LimitCounts> rows = new LinkedHashMap<>(); // by the limit as text; guarded by this
    private Map<Long, LimitCounts> seen = new HashMap<>(); // the server's counts, by id; guarded by this, as all below
    private long requestsSeen;
    private long requests;
    private String started = ""; // when the server did
    private long stateSecond = Long.MAX_VALUE;
    private long latestSecond = Long.MAX_VALUE; // of an event

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

    /** Takes the limits in force, and what was decided since the latest event. A limit that was there before keeps its counts. */
    private void state(JsonObject json) {
        String start = text(object(json.getValue("server")).getValue("started"));
        boolean isSameRun = !start.isEmpty() && start.equals(started);
        boolean beginsNow = !isSameRun && epochSecond(start) < latestSecond; // another server, or the first one
        if (!isSameRun) { // all this is of another server
            seen = new HashMap<>();
            requestsSeen = 0;
            rows.replaceAll((text, counts) -> counts.withTop(List.of()));
        }
        Map<Long, LimitCounts> before = seen;
        seen = new HashMap<>();
        for (Object element : array(json.getValue("limits"))) {
            JsonObject limit = object(element);
            long id = number(limit.getValue("id"));
            LimitCounts now = counts(text(limit), number(limit.getValue("allowed")), number(limit.getValue("denied")));
            if (rows.containsKey(now.limit()) || rows.size() < MOST_LIMITS) {
                LimitCounts known = before.getOrDefault(id, beginsNow ? now : counts(now.limit(), 0, 0));
                add(now.limit(), now.allowed() - known.allowed(), now.denied() - known.denied());
                seen.put(id, now);
            }
        }
        long all = decided(object(json.getValue("total")));
        requests += beginsNow ? 0 : all - requestsSeen;
        requestsSeen = all;
        started = start;
        stateSecond = number(object(json.getValue("history")).getValue("second"));
        latestSecond = stateSecond;
    }

    private static long epochSecond(String instant) {
        try {
            return Instant.parse(instant).getEpochSecond();
        } catch (DateTimeParseException unknown) {
            return 0;
        }
    }

    private static String text(JsonObject limit) {
        String mode = text(limit.getValue("mode"));
        return (text(limit.getValue("rule")) + " " + text(limit.getValue("limit"))).strip()
                + (mode.isEmpty() || mode.equals("live") ? "" : " (" + mode + ")");
    }

    private static long decided(JsonObject json) {
        return number(json.getValue("allowed")) + number(json.getValue("denied"));
    }

    private static LimitCounts counts(String limit, long allowed, long denied) {
        return new LimitCounts(limit, allowed, denied, List.of());
    }

    private void add(String limit, long allowed, long denied) {
        rows.merge(limit, counts(limit, allowed, denied), (counts, more) -> counts.plus(allowed, denied));
    }

    private void frame(JsonObject json) {
        latestSecond = number(json.getValue("second"));
        if (latestSecond > stateSecond) { // else the state contains it
            count(json);
        }
        Map<String, List<DeniedKey>> top = new HashMap<>();
        for (Object element : array(json.getValue("mostDenied"))) {
            JsonObject key = object(element);
            LimitCounts known = seen.get(number(key.getValue("id")));
            if (known != null) {
                top.computeIfAbsent(known.limit(), none -> new ArrayList<>())
                        .add(new DeniedKey(text(key.getValue("key")), number(key.getValue("deniedPerMinute"))));
            }
        }
        rows.replaceAll((text, counts) -> counts.withTop(List.copyOf(top.getOrDefault(text, List.of()))));
    }

    private void count(JsonObject frame) {
        requests += decided(frame);
        requestsSeen += decided(frame);
        for (Object element : array(frame.getValue("limits"))) {
            JsonArray limit = array(element);
            if (limit.size() >= 3) {
                long allowed = number(limit.getValue(1));
                long denied = number(limit.getValue(2));
                seen.computeIfPresent(number(limit.getValue(0)), (id, known) -> {
                    add(known.limit(), allowed, denied);
                    return known.plus(allowed, denied);
                });
            }
        }
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
