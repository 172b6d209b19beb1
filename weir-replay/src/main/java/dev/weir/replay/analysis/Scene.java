package dev.weir.replay.analysis;

import dev.weir.Accounting.Method;
import dev.weir.Limit;
import dev.weir.replay.Recording.Moment;

/**
 * The requests of one key around one window of a limit, in cells of time. The cells are a part of the window long, and start where
 * windows aligned to the clock do.
 */
public final class Scene {
    private static final int MOST_CELLS = 12; // per window
    private static final double BEFORE = 0.9; // of a window is shown before it
    private static final double AFTER = 0.7;

    private final int limitIndex;
    private final Limit limit;
    private final Moment end;
    private final String key;
    private final long unitNanos;
    private final TimeAxis axis;
    private final long[] inside; // allowed requests of each cell that are in the window
    private final long[] outside; // allowed requests of each cell that are not
    private final long[] denied;
    private long permits;
    private long permitsBeforeBoundary;

    Scene(int limitIndex, Limit limit, Moment end, String key, long unitNanos) {
        this.limitIndex = limitIndex;
        this.limit = limit;
        this.end = end;
        this.key = key;
        this.unitNanos = unitNanos;
        this.axis = axis(limit.windowNanos(), end.timeNanos(), unitNanos);
        this.inside = new long[axis.buckets()];
        this.outside = new long[axis.buckets()];
        this.denied = new long[axis.buckets()];
    }

    private static TimeAxis axis(long window, long end, long unit) {
        long cell = window / cellsPerWindow(window, unit);
        long start = Math.max(0, end - window);
        long first = Math.max(0, start - (long) (BEFORE * window)) / cell;
        long last = (end + Math.min((long) (AFTER * window), Long.MAX_VALUE - end)) / cell;
        return new TimeAxis(first * cell, cell, (int) (last - first) + 1);
    }

    /** Returns the most cells that divide the window evenly, each at least as long as the times are precise. */
    private static int cellsPerWindow(long window, long unit) {
        for (int cells = MOST_CELLS; cells > 1; cells--) {
            if (window % cells == 0 && window / cells >= unit) {
                return cells;
            }
        }
        return 1;
    }

    void add(long timeNanos, long requested, boolean allowed) {
        if (!axis.contains(timeNanos)) {
            return;
        }
        int cell = axis.bucket(timeNanos);
        if (!allowed) {
            denied[cell]++;
        } else if (timeNanos > end.timeNanos() || end.timeNanos() - timeNanos >= limit.windowNanos()) {
            outside[cell]++;
        } else {
            inside[cell]++;
            permits += requested;
            permitsBeforeBoundary += timeNanos < boundary() ? requested : 0;
        }
    }

    int keyId() {
        return end.key();
    }

    /** Returns the latest boundary of windows aligned to the clock that is not after the end. */
    private long boundary() {
        return end.timeNanos() / limit.windowNanos() * limit.windowNanos();
    }

    /** Returns the position of the limit among all. */
    public int limitIndex() {
        return limitIndex;
    }

    /** Returns the limit. */
    public Limit limit() {
        return limit;
    }

    /** Returns the key. */
    public String key() {
        return key;
    }

    /** Returns the time of the last request in the window. */
    public long endNanos() {
        return end.timeNanos();
    }

    /** Returns the cells. */
    public TimeAxis axis() {
        return axis;
    }

    /**
     * Returns where the window starts, from 0 to 1: after the first instant of times that are no more precise than they are, or
     * earlier, where the first cell with a request in the window starts.
     */
    public double windowStart() {
        int first = 0;
        while (first < inside.length && inside[first] == 0) {
            first++;
        }
        double start = axis.position(end.timeNanos() - limit.windowNanos() + unitNanos);
        return Math.min(start, (double) first / inside.length);
    }

    /** Returns where the window ends, from 0 to 1; not before the last cell with a request in the window does. */
    public double windowEnd() {
        int last = inside.length;
        while (last > 0 && inside[last - 1] == 0) {
            last--;
        }
        return Math.max(axis.position(end.timeNanos() + unitNanos), (double) last / inside.length);
    }

    /** Returns the number of allowed requests in a cell that are in the window. */
    public long inside(int cell) {
        return inside[cell];
    }

    /** Returns the number of allowed requests in a cell that are not in the window. */
    public long outside(int cell) {
        return outside[cell];
    }

    /** Returns the number of denied requests in a cell. */
    public long denied(int cell) {
        return denied[cell];
    }

    /** Returns the permits granted in the window. */
    public long permits() {
        return permits;
    }

    /** Returns the permits granted in the window before the last boundary of windows aligned to the clock. */
    public long permitsBeforeBoundary() {
        return permitsBeforeBoundary;
    }

    /** Returns whether the windows of the limit are aligned to the clock, and a boundary is inside the window. */
    public boolean hasBoundary() {
        return limit.accounting().method() == Method.CLOCK_WINDOWS && permitsBeforeBoundary > 0;
    }
}
