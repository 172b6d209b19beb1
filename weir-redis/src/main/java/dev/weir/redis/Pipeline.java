package dev.weir.redis;

import java.util.List;

/**
 * Batches that are sent to one server together, without waiting for the answers in between: one for each slot on a cluster, else a
 * single one. Guarded by the lock of the {@link Batcher}.
 */
final class Pipeline {
    private final List<Batch> batches;
    private final long sentAt;
    private final double load;
    private boolean alone;
    private boolean failed;
    private int ended; // of its batches

    /**
     * Creates a pipeline of batches that have to be sent.
     *
     * @param load its cost as a part of the largest one
     */
    Pipeline(List<Batch> batches, long sentAt, double load) {
        this.batches = batches;
        this.sentAt = sentAt;
        this.load = load;
    }

    List<Batch> batches() {
        return batches;
    }

    /** Returns when it was sent, by {@link Timer#nanos}. */
    long sentAt() {
        return sentAt;
    }

    /** Returns its cost as a part of the largest one. */
    double load() {
        return load;
    }

    /** Records that nothing else is in flight to its server. */
    void sentAlone() {
        alone = true;
    }

    /** Whether nothing else was in flight to its server when it was sent. */
    boolean wasSentAlone() {
        return alone;
    }

    /** Records that one of its batches is answered, or has failed. */
    void ended(Batch batch, boolean answered) {
        batch.end();
        ended++;
        failed |= !answered;
    }

    /** Whether all its batches have ended. */
    boolean isEnded() {
        return ended == batches.size();
    }

    /** Whether all its batches are answered. */
    boolean isAnswered() {
        return !failed && isEnded();
    }

    /** Returns the batches that have not ended. */
    List<Batch> unanswered() {
        return batches.stream().filter(batch -> !batch.isEnded()).toList();
    }
}
