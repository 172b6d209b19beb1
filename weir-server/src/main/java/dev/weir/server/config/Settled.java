package dev.weir.server.config;

/**
 * Finds out when a value that is read again and again has changed. A new value must be the same twice, so that no file is used
 * while it is being written. Used by one thread.
 */
final class Settled<T> {
    private T latest;
    private T before;

    /**
     * Creates a detector.
     *
     * @param inForce the value that is known
     */
    Settled(T inForce) {
        this.latest = inForce;
        this.before = inForce;
    }

    /** Returns whether a value is new; once for each. */
    boolean isNew(T now) {
        boolean isNew = !now.equals(latest) && now.equals(before);
        if (isNew) {
            latest = now;
        }
        before = now;
        return isNew;
    }
}
