package dev.weir.cli.terminal;

import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * One line on stderr that fills up while a long task runs and is erased at its end. Draws at most ten times a second,
 * and nothing at all where nobody watches.
 */
public final class ProgressBar implements AutoCloseable {
    private static final long REDRAW_NANOS = 100_000_000; // 0.1s
    private static final long GUESS_AFTER_NANOS = 2_000_000_000; // 2s
    private static final int LONGEST_BAR = 40;

    private final Shell shell;
    private final LongSupplier nanoTime;
    private final String label;
    private final long total;
    private final long started;
    private long drawn;
    private int width;

    /**
     * A bar that is drawn at once.
     *
     * @param total what the task will have done at its end; 0 if that is not known
     */
    public ProgressBar(Shell shell, String label, long total) {
        this(shell, label, total, System::nanoTime);
    }

    ProgressBar(Shell shell, String label, long total, LongSupplier nanoTime) {
        this.shell = shell;
        this.nanoTime = nanoTime;
        this.label = label;
        this.total = total;
        started = nanoTime.getAsLong();
        draw(0, started);
    }

    /** Notifies the bar of all that is done so far. */
    public void advanced(long done) {
        long now = nanoTime.getAsLong();
        if (now - drawn >= REDRAW_NANOS) {
            draw(done, now);
        }
    }

    /** Erases the line. */
    @Override
    public void close() {
        if (width > 0) {
            shell.note("\r" + " ".repeat(width) + "\r");
        }
        width = 0;
    }

    private void draw(long done, long now) {
        drawn = now;
        if (!shell.showsProgress()) {
            return;
        }
        Page page = shell.notePage();
        int room = page.columns() - 1; // a full line would scroll
        Cell line = Cell.of(label + " ");
        if (total > 0) {
            double share = Math.min(1, (double) done / total);
            Cell after = Cell.of(String.format(Locale.ROOT, " %3d%%", (int) (share * 100)))
                    .then(left(share, now - started));
            int length = Math.min(LONGEST_BAR, room - line.width() - after.width());
            line = line.then(bar(share, length, page)).then(after);
        } else {
            line = line.then(Cell.of(Text.number(done)));
        }
        line = line.clip(room, page);
        int before = width;
        width = line.width();
        shell.note("\r" + line.paint(page) + " ".repeat(Math.max(0, before - width)));
    }

    private static Cell bar(double share, int length, Page page) {
        int cells = Math.max(0, length);
        int full = (int) (share * cells);
        return Cell.of(Look.CYAN, page.choose("━", "#").repeat(full))
                .then(Cell.of(Look.DIM, page.choose("─", "-").repeat(cells - full)));
    }

    /** Returns the estimated time left; empty while an estimate would be too uncertain. */
    private static Cell left(double share, long nanos) {
        if (nanos < GUESS_AFTER_NANOS || share == 0) {
            return Cell.EMPTY;
        }
        long seconds = (long) Math.ceil(nanos * (1 - share) / share / 1e9);
        return Cell.of(Look.DIM, "  " + Text.millis(seconds * 1000) + " left");
    }
}
