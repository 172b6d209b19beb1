package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import dev.weir.replay.trace.TraceBuilder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The request that a parser found in one line. One instance is reused for every line. The key is a slice, not a copy. */
final class Request {
    private static final int UNKNOWN = -1;
    private static final int MAX_KEY = 1024; // 1 KiB, as a limiter takes them
    private static final String REPLACEMENT = "\ufffd"; // what bytes that are not UTF-8 are read as
    private static final Pattern UNPAIRED = Pattern.compile("\\p{Cs}");

    private final @Nullable TraceBuilder trace;
    private int keyNumber = UNKNOWN; // in the trace, if the parser found it there

    long timeNanos;
    long permits;
    byte[] key = {};
    int keyFrom;
    int keyTo;

    /** Creates a request of no trace, to try a parser. */
    Request() {
        this(null);
    }

    /** Creates a request that will be added to a trace. */
    Request(@Nullable TraceBuilder trace) {
        this.trace = trace;
    }

    /**
     * Returns a text in UTF-8, which cannot express a surrogate without its other half: that becomes the replacement character, so that
     * {@link #checkKey} refuses a key with it.
     */
    static byte[] bytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8); // with a question mark for an unpaired surrogate
        return new String(bytes, StandardCharsets.UTF_8).equals(text)
                ? bytes
                : UNPAIRED.matcher(text).replaceAll(REPLACEMENT).getBytes(StandardCharsets.UTF_8);
    }

    void key(byte[] bytes, int from, int to) {
        key = bytes;
        keyFrom = from;
        keyTo = to;
        keyNumber = UNKNOWN;
    }

    /** Sets the key if an earlier request of the trace has the same; returns false otherwise. */
    boolean reuseKey(byte[] bytes, int from, int to) {
        keyNumber = trace == null ? UNKNOWN : trace.find(bytes, from, to);
        return keyNumber != UNKNOWN;
    }

    String keyText() {
        return new String(key, keyFrom, keyTo - keyFrom, StandardCharsets.UTF_8);
    }

    /** Returns null if a limiter can take the key, otherwise why not: keys that are not UTF-8 could look the same. */
    @Nullable
    Refusal checkKey() {
        if (keyTo - keyFrom > MAX_KEY) {
            return Refusal.KEY_TOO_LONG;
        }
        return keyText().contains(REPLACEMENT) ? Refusal.KEY_NOT_TEXT : null;
    }

    /** Adds the request to a trace; returns null if it did, otherwise why not. */
    @Nullable
    Refusal addTo(TraceBuilder builder, long time) throws LogException {
        int number = keyNumber == UNKNOWN ? builder.find(key, keyFrom, keyTo) : keyNumber;
        if (number == UNKNOWN) {
            Refusal refusal = checkKey();
            if (refusal != null) {
                return refusal;
            }
            number = builder.key(key, keyFrom, keyTo);
        }
        builder.add(time, number, permits);
        return null;
    }
}
