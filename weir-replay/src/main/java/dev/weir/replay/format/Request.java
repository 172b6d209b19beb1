package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import dev.weir.replay.trace.TraceBuilder;
import org.jspecify.annotations.Nullable;

/** The request that a parser found in one line. One instance is reused for every line. The key is a slice, not a copy. */
final class Request {
    private static final int UNKNOWN = -1;

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

    /** Adds the request to a trace; returns null if it did, otherwise why not. */
    @Nullable
    Refusal addTo(TraceBuilder builder, long time) throws LogException {
        int number = keyNumber == UNKNOWN ? builder.key(key, keyFrom, keyTo) : keyNumber;
        if (number == TraceBuilder.TOO_LONG) {
            return Refusal.KEY_TOO_LONG;
        } else if (number == TraceBuilder.NOT_TEXT) {
            return Refusal.KEY_NOT_TEXT;
        }
        builder.add(time, number, permits);
        return null;
    }
}
