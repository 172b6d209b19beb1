package dev.weir.replay;

/**
 * A listener for the progress of a long task, called on the task's own thread: often enough for a smooth bar, and rarely enough
 * to cost nothing. The unit is the task's: bytes taken from the stream in {@link Trace#read}, requests summed over all limits in
 * {@link Replay#run}, lines in {@link LogGenerator#writeTo}.
 */
@FunctionalInterface
public interface ProgressListener {
    /** Called when {@code done} units are done in total; the number never decreases. */
    void advanced(long done);

    /** Returns a listener that does nothing. */
    static ProgressListener none() {
        return done -> {};
    }
}
