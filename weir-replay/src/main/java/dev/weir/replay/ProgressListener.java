package dev.weir.replay;

/**
 * A listener for the progress of a long task, called on the thread that runs the task. The unit depends on the task: bytes taken
 * from the stream in {@link Trace#read}, requests summed over all limits in {@link Replay#run}, lines in
 * {@link LogGenerator#writeTo}.
 */
@FunctionalInterface
public interface ProgressListener {
    /**
     * Reports progress.
     *
     * @param done the number of units done in total; never decreases
     */
    void advanced(long done);

    /** {@return a listener that does nothing} */
    static ProgressListener none() {
        return done -> {};
    }
}
