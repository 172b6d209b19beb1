package dev.weir.algorithm;

/**
 * The runs of a log that are in the past, oldest first, with cursors to those that count.
 *
 * <pre>
 *     start        the oldest run that a window as wide as the widest may count
 *     first        the oldest run that the present window counts; those without weight before it are skipped
 * </pre>
 */
final class PastRuns {
    private final RunList runs;
    private int start;
    private int first;
    private long counted; // the weight from `first` on
    private long kept; // the weight from `start` on

    PastRuns() {
        runs = new RunList();
    }

    /** Creates an independent copy. */
    PastRuns(PastRuns other) {
        runs = new RunList(other.runs);
        start = other.start;
        first = other.first;
        counted = other.counted;
        kept = other.kept;
    }

    /** Returns the weight that the present window counts. */
    long counted() {
        return counted;
    }

    /** Returns the weight that a window as wide as the widest may count. */
    long kept() {
        return kept;
    }

    /** Returns the number of runs that are kept. */
    int size() {
        return runs.size() - start;
    }

    /** Whether the present window counts no run. */
    boolean countsNothing() {
        return first == runs.size();
    }

    long oldest() {
        return runs.stamp(first);
    }

    long newest() {
        return runs.stamp(runs.size() - 1);
    }

    long newestWeight() {
        return runs.weight(runs.size() - 1);
    }

    /** Returns the stamp of the run in which a permit lies, counted from the oldest that counts; it must exist. */
    long stampOf(long permit) {
        return runs.stamp(runs.holding(first, permit));
    }

    boolean hasRunAt(long stamp) {
        return runs.find(start, stamp) >= 0;
    }

    /** Adds a run at the end, or a few runs before. */
    void add(long stamp, long weight) {
        int i = runs.add(start, stamp, weight);
        first = Math.min(first, i); // runs without weight may have been skipped
        kept += weight;
        counted += weight;
    }

    private void addWeight(int i, long weight) {
        runs.addWeight(i, weight);
        kept += weight;
        counted += i >= first ? weight : 0;
    }

    /** Removes a given weight from the oldest runs, or all there is. */
    void reduceOldest(long weight) {
        long over = weight;
        for (int i = start; over > 0 && i < runs.size(); i++) {
            long removed = Math.min(over, runs.weight(i));
            addWeight(i, -removed);
            over -= removed;
        }
    }

    /** Removes weight at a stamp. Returns false, and removes nothing, if there is less. */
    boolean reduce(long stamp, long weight) {
        int i = runs.find(start, stamp);
        if (i < 0 || runs.weight(i) < weight) {
            return false;
        }
        addWeight(i, -weight);
        removeEmpty();
        return true;
    }

    /** Removes runs without weight from the end, and skips them at the start. */
    void removeEmpty() {
        while (runs.size() > start && runs.weight(runs.size() - 1) == 0) {
            runs.removeLast();
        }
        first = runs.skipEmpty(Math.min(first, runs.size()));
    }

    /** Returns the weight of the runs that count now and whose stamp is at or before an instant, which is given as a wait. */
    long weightUpTo(long now, long wait) {
        return runs.weight(first, runs.after(first, now, wait));
    }

    /** Removes the runs that no window counts any more. */
    void prune(long now, long window, long widest) {
        if (start == runs.size() || now - runs.stamp(start) < window) {
            return;
        }
        int next = runs.after(first, now, -window);
        counted -= runs.weight(first, next);
        first = runs.skipEmpty(next);
        next = widest == window ? first : runs.after(start, now, -widest);
        kept -= runs.weight(start, next);
        start = next;
        removeBlocks();
    }

    private void removeBlocks() {
        int removed = runs.removeBlocksBefore(start);
        start -= removed;
        first -= removed;
    }

    /** Removes the oldest of the runs that count: those in which the given weight lies. */
    void removeOldest(long excess) {
        int oldest = excess < counted ? runs.holding(first, excess + 1) : runs.size();
        if (kept == counted) {
            counted -= runs.weight(first, oldest);
            kept = counted;
            start = oldest;
        } else { // older runs are kept, which still count in a wider window
            for (int i = first; i < oldest; i++) {
                addWeight(i, -runs.weight(i));
            }
        }
        first = oldest;
        removeBlocks();
    }

    /** Counts what is kept in a window of another length. */
    void countIn(long now, long window) {
        first = runs.after(start, now, -window);
        counted = runs.weight(first, runs.size());
    }

    /** Removes the newest run. {@link #removeEmpty} must follow. */
    void removeNewest() {
        addWeight(runs.size() - 1, -newestWeight());
        runs.removeLast();
    }

    /** Passes the runs that count to a visitor, oldest first. */
    void forEach(Algorithm.RunVisitor visitor) {
        for (int i = first; i < runs.size(); i++) {
            if (runs.weight(i) > 0) {
                visitor.visit(runs.stamp(i), runs.weight(i), false);
            }
        }
    }

    /** The weight that counts at later and later instants. */
    final class Decline {
        private final long window;
        private int expired = first;
        private long weight = counted;

        Decline(long window) {
            this.window = window;
        }

        /** Returns the weight that still counts at an instant, which is given as a wait and not before the last one. */
        long at(long now, long wait) {
            int next = runs.after(expired, now, wait - window);
            weight -= runs.weight(expired, next);
            expired = next;
            return weight;
        }
    }
}
