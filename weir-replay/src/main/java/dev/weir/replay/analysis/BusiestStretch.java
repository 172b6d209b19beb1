package dev.weir.replay.analysis;

/** The stretch of a fixed number of cells in which one key has the most requests. Memory: six numbers for each cell. */
final class BusiestStretch {
    static final int CELLS = 60;

    private final long cellNanos;
    private Timeline recent = new Timeline(CELLS);
    private Timeline busiest = new Timeline(CELLS);
    private long newestCell = -CELLS; // a stretch before the earliest time
    private long count; // requests in recent
    private long most;

    BusiestStretch(long cellNanos) {
        this.cellNanos = cellNanos;
    }

    void add(long timeNanos, boolean allowed) {
        long cell = timeNanos / cellNanos;
        if (cell > newestCell) {
            long empty = Math.min(CELLS, cell - newestCell);
            for (int i = 0; i < empty; i++) {
                count -= recent.total(i);
            }
            recent.shift(empty);
            newestCell = cell;
        }
        recent.add(CELLS - 1, allowed);
        count++;
        if (count > most) {
            most = count;
            busiest = recent.copy();
        }
    }

    /** Returns the stretch from its first request on: nothing follows it within the length, or there would be a busier one. */
    Timeline busiest() {
        int empty = 0;
        while (empty < CELLS && busiest.total(empty) == 0) {
            empty++;
        }
        Timeline aligned = busiest.copy();
        aligned.shift(empty);
        return aligned;
    }
}
