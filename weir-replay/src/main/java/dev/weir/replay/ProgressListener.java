package dev.weir.replay;

/**
 * Hears how far a long task has come, on the task's own thread: often enough for a smooth bar, seldom enough to cost
 * nothing. The unit is the task's: bytes taken from the stream in {@link Trace#read}, requests summed over all limits in
 * {@link Replay#run}, lines in {@link LogGenerator#writeTo}.
 */
@FunctionalInterface
public interface ProgressListener {
    /** Hears that {@code done} units are done in all; never falls. */
    void advanced(long done);

    /** Hears nothing. */
    static ProgressListener none() {
        return done -> {};
    }
}
