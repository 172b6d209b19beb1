package dev.weir.replay;

/** Takes the requests of a {@link Trace}, one call each. */
@FunctionalInterface
public interface EventConsumer {
    /**
     * Takes one request.
     *
     * @param timeNanos nanoseconds since the epoch, never less than in the call before
     * @param keyId who asked: {@link Trace#key} has the text
     * @param permits how much was asked for, at least 1
     */
    void accept(long timeNanos, int keyId, long permits);
}
