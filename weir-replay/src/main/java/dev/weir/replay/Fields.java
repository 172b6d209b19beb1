package dev.weir.replay;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The three fields of a request as text, which csv, jsonl and a pattern all come down to. Reused from line to line. */
final class Fields {
    static final String TIME = "time";
    static final String PERMITS = "permits";

    private final TimeParser timeParser;
    private final String noKey;

    @Nullable
    String time;

    @Nullable
    String key;

    @Nullable
    String permits;

    Fields(TimeParser timeParser, String keyName) {
        this.timeParser = timeParser;
        this.noKey = "no " + keyName;
    }

    void clear() {
        time = null;
        key = null;
        permits = null;
    }

    /** Fills {@code request}, permits that are absent or empty being 1; null if it could, else why not. */
    @Nullable
    String fill(Request request) {
        if (time == null || time.isEmpty()) {
            return "no time";
        }
        byte[] timeBytes = time.strip().getBytes(StandardCharsets.UTF_8);
        request.timeNanos = timeParser.parse(timeBytes, 0, timeBytes.length);
        String refusal = TimeParser.refusal(request.timeNanos);
        if (refusal != null) {
            return refusal;
        }
        if (key == null || key.isEmpty()) {
            return noKey;
        }
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        request.key(keyBytes, 0, keyBytes.length);
        request.permits = permits == null || permits.isEmpty() ? 1 : number(permits.strip());
        return request.permits < 1 ? LineParser.BAD_PERMITS : null;
    }

    private static long number(String text) {
        byte[] digits = text.getBytes(StandardCharsets.UTF_8);
        return Digits.all(digits, 0, digits.length);
    }
}
