package dev.weir.cli;

import dev.weir.replay.Recording;
import dev.weir.replay.trace.EventConsumer;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.time.Instant;

/** The requests that one of two limits allows and the other denies, in the order of their times. Memory: constant. */
final class Differences implements EventConsumer {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final Trace trace;
    private final Recording recording;
    private final Consumer consumer;
    private long request;

    private Differences(Trace trace, Recording recording, Consumer consumer) {
        this.trace = trace;
        this.recording = recording;
        this.consumer = consumer;
    }

    /** A consumer of the differences. */
    interface Consumer {
        /**
         * Processes one request.
         *
         * @param time its time
         * @param key its key
         * @param permits its permits
         * @param allowedBy the limit that allows it, 0 or 1
         */
        void accept(Instant time, String key, long permits, int allowedBy);
    }

    /** Passes every difference between the first two limits to a consumer. Reads the trace once. */
    static void forEach(Trace trace, Recording recording, Consumer consumer) throws IOException {
        trace.forEach(new Differences(trace, recording, consumer));
    }

    @Override
    public void accept(long timeNanos, int keyId, long permits) {
        boolean first = recording.allowed(0, request);
        if (first != recording.allowed(1, request)) {
            Instant time = Instant.ofEpochSecond(timeNanos / NANOS_PER_SECOND, timeNanos % NANOS_PER_SECOND);
            consumer.accept(time, trace.key(keyId), permits, first ? 0 : 1);
        }
        request++;
    }
}
