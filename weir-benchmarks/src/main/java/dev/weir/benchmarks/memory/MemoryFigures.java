package dev.weir.benchmarks.memory;

import java.util.List;

/**
 * What limiters take of memory, key strings left out.
 *
 * @param decisionBytes a decision
 * @param entriesPerKey how many requests a busy key has had in its window
 */
public record MemoryFigures(long decisionBytes, int entriesPerKey, List<Row> rows) {

    /**
     * One limiter.
     *
     * @param title whose, and with which setting
     * @param idleKeyBytes a key that has had one request
     * @param busyKeyBytes a key that has had {@link #entriesPerKey} in its window
     */
    public record Row(String title, double idleKeyBytes, long busyKeyBytes) {}

    /** Weir with the default resolution. */
    public Row weir() {
        return rows.get(0);
    }

    /** Weir with a resolution of 1 µs. */
    public Row weirFine() {
        return rows.get(1);
    }

    /** The bytes of a busy key, divided among its entries. */
    public double bytesPerEntry(Row row) {
        return (double) row.busyKeyBytes() / entriesPerKey;
    }
}
