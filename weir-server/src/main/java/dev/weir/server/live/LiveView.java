package dev.weir.server.live;

import com.google.common.base.CaseFormat;
import dev.weir.Limit;
import dev.weir.server.live.Blocked.Block;
import dev.weir.server.live.Comparison.Outcome;
import dev.weir.server.live.Fullest.Full;
import dev.weir.server.live.KeyNames.Name;
import dev.weir.server.live.TopDenied.Denied;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Writes keys and comparisons as JSON. Belongs to the thread that samples. */
final class LiveView {
    private static final int MOST_FULL = 10;
    private static final int FRAME_BYTES = 8_000;
    private static final long NANOS_PER_MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final double TENTHS = 10;

    private final KeyLists lists;
    private final KeyNames names;

    LiveView(KeyLists lists, KeyNames names) {
        this.lists = lists;
        this.names = names;
    }

    /**
     * Adds the lists to a frame. The texts of limits are left out, since viewers have them from the state, and so are the last
     * keys of a list if the frame would otherwise exceed 8 KB. Each list keeps at least its first key.
     */
    void addTo(JsonObject frame) {
        List.of("mostDenied", "fullest", "blocked").forEach(list -> frame.put(list, new JsonArray()));
        int room = FRAME_BYTES - bytes(frame.encode());
        JsonArray denied = fitting(denied(), room * 2 / 3);
        room -= bytes(denied.encode());
        JsonArray fullest = fitting(fullest(), room * 2 / 3);
        room -= bytes(fullest.encode());
        frame.put("mostDenied", denied).put("fullest", fullest).put("blocked", fitting(blocked(), room));
    }

    /** Returns the first rows of a list, as many as fit in the given number of bytes, and at least one. */
    private static JsonArray fitting(JsonArray rows, int bytes) {
        JsonArray fitting = new JsonArray();
        int left = bytes;
        for (int i = 0; i < rows.size(); i++) {
            JsonObject row = rows.getJsonObject(i);
            if (row.containsKey("id")) {
                row.remove("rule");
                row.remove("limit");
            }
            left -= bytes(row.encode()) + 1;
            if (left < 0 && !fitting.isEmpty()) {
                break;
            }
            fitting.add(row);
        }
        return fitting;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns the keys that were denied most. */
    JsonArray denied() {
        JsonArray rows = new JsonArray();
        for (Denied denied : lists.denied.top(KeyLists.MOST_LISTED, System.nanoTime())) {
            LimitedKey key = denied.key();
            JsonObject row = named(key)
                    .put("deniedPerMinute", denied.perMinute())
                    .put("asks", asks(denied))
                    .put("nextPermitMillis", millis(denied.nextPermitNanos()))
                    .put("sinceSeconds", TimeUnit.NANOSECONDS.toSeconds(denied.sinceNanos()))
                    .put("error", denied.error());
            rows.add(row);
        }
        return rows;
    }

    /**
     * Demand in the last window, or minute if that is longer, divided by the limit, of a key that uses it up; to one decimal. Where
     * attempts count, a key that is denied for longer than that is granted nothing.
     */
    static @Nullable Double asks(Denied denied) {
        Limit limit = denied.key().row().limit();
        if (limit == null || denied.inWindow() == null) {
            return null;
        }
        double permits = limit.permits() * Math.max(1, (double) NANOS_PER_MINUTE / limit.windowNanos());
        boolean countsAttempts =
                limit instanceof Limit.SlidingLog log && log.count() == Limit.SlidingLog.Count.ATTEMPTS;
        boolean lockedOut = countsAttempts && denied.sinceNanos() > Math.max(NANOS_PER_MINUTE, limit.windowNanos());
        double asks = (lockedOut ? 0 : 1) + denied.inWindow() / permits;
        return Math.round(Math.max(1, asks) * TENTHS) / TENTHS;
    }

    /** Rounded up, so that whoever waits that long is not too early; null if never or not known. */
    private static @Nullable Long millis(@Nullable Long nanos) {
        return nanos == null || nanos == Long.MAX_VALUE ? null : -Math.floorDiv(-nanos, 1_000_000L);
    }

    /** Returns the keys that have used most of a limit. */
    JsonArray fullest() {
        JsonArray rows = new JsonArray();
        for (Full full : lists.fullest.top(MOST_FULL, System.nanoTime())) {
            rows.add(named(full.key()).put("used", full.used()).put("of", full.of()));
        }
        return rows;
    }

    /** Returns the keys that operators blocked. */
    JsonArray blocked() {
        JsonArray rows = new JsonArray();
        for (Block block : lists.blocked.top(KeyLists.MOST_LISTED, Instant.now())) {
            rows.add(named(block.rule(), block.key())
                    .put("rule", block.rule().name())
                    .put("until", block.until().toString()));
        }
        return rows;
    }

    private JsonObject named(LimitedKey key) {
        LimitRow row = key.row();
        return named(row.rule, key.key())
                .put("rule", row.rule.name())
                .put("limit", row.text)
                .put("id", row.id);
    }

    private JsonObject named(RuleId rule, String key) {
        Name name = names.of(rule, key);
        return new JsonObject().put("key", name.key()).put("query", name.query());
    }

    /** Returns how candidates compare with live limits. */
    static JsonArray comparisons(List<Comparison> comparisons) {
        JsonArray rows = new JsonArray();
        for (Comparison comparison : comparisons) {
            JsonObject row = new JsonObject()
                    .put("id", comparison.row().id)
                    .put("rule", comparison.row().rule.name())
                    .put("limit", comparison.live())
                    .put("candidate", comparison.row().text)
                    .put("since", comparison.since().toString());
            for (Outcome outcome : Outcome.values()) {
                row.put(
                        CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.LOWER_CAMEL, outcome.name()),
                        comparison.total(outcome));
            }
            rows.add(row.put("keysDeniedByLive", comparison.keysDeniedByLive())
                    .put("keysDeniedByCandidate", comparison.keysDeniedByCandidate()));
        }
        return rows;
    }
}
