package dev.weir.replay.format;

import dev.weir.replay.trace.SkippedLine;

/** A listener to a log that is read while it is written. Called by the thread that reads. */
public interface RequestListener {
    /**
     * Called for each request.
     *
     * @param timeNanos nanoseconds since the epoch, in any order
     * @param key the key
     * @param permits the number of permits, at least 1
     */
    void request(long timeNanos, String key, long permits);

    /**
     * Called for each line that is not a request, except blank lines and directives.
     *
     * @param line the line
     */
    void skipped(SkippedLine line);
}
