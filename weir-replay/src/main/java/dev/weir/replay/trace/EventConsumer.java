package dev.weir.replay.trace;

/** A consumer of the requests of a {@link Trace}, called once for each request. */
@FunctionalInterface
public interface EventConsumer {
    /**
     * Processes one request.
     *
     * @param timeNanos nanoseconds since the epoch, never less than in the previous call
     * @param keyId the key; {@link Trace#key} returns its text
     * @param permits the number of permits, at least 1
     */
    void accept(long timeNanos, int keyId, long permits);
}
