package dev.weir.cli;

import dev.weir.cli.terminal.Cell;
import dev.weir.cli.terminal.Grid;
import dev.weir.cli.terminal.Grid.Column;
import dev.weir.cli.terminal.Look;
import dev.weir.cli.terminal.Page;
import dev.weir.cli.terminal.Shell;
import dev.weir.cli.terminal.TerminalSize;
import dev.weir.cli.terminal.Text;
import dev.weir.replay.ReplayResult.DeniedKey;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What {@code weir tail} shows: on a terminal one block that is drawn again, elsewhere a line for each frame. */
abstract class TailScreen {
    private static final String CLEAR_BELOW = "\r\u001b[J";
    private static final String CLEAR_ALL = "\u001b[H" + CLEAR_BELOW;
    private static final String CUT_LINES = "\u001b[?7l";
    private static final String WRAP_LINES = "\u001b[?7h";

    /** The shell that it is shown in. */
    protected final Shell shell;

    private TailFrame latest = new TailFrame(Instant.EPOCH, 0, 0, 0, "", "", List.of(), false);

    /** A screen of a shell. */
    protected TailScreen(Shell shell) {
        this.shell = shell;
    }

    /** A screen for people. */
    static TailScreen text(Shell shell) {
        return shell.redraws() ? new Block(shell) : new Lines(shell);
    }

    /** Begins with what there is before the first second. */
    void begin(TailFrame frame) throws IOException {
        latest = frame;
    }

    /** Shows the counts since the previous frame. */
    void show(TailFrame frame) throws IOException {
        TailFrame difference = frame.since(latest);
        latest = frame;
        draw(difference, frame);
    }

    /** Draws the counts of the latest second, and those of all of them. */
    protected abstract void draw(TailFrame second, TailFrame all) throws IOException;

    /** Shows the summary. */
    abstract void end(TailFrame all) throws IOException;

    /** Returns the summary for people. */
    private static List<String> summary(TailFrame all, Page page) {
        List<String> lines = new ArrayList<>();
        lines.add(counted(all, " (dated before an earlier one; weir replay sorts them)"));
        lines.add("");
        Grid grid = new Grid(List.of(Column.LEFT, Column.RIGHT, Column.RIGHT, Column.OPTIONAL_RIGHT));
        grid.addHeadings(List.of("limit", "allowed", "denied", ""));
        for (LimitCounts row : all.rows()) {
            grid.add(List.of(
                    Cell.of(Text.visible(row.limit())), number(row.allowed()), number(row.denied()), share(row)));
        }
        lines.addAll(grid.lines(page));
        lines.add("");
        lines.addAll(MostDenied.lines(all.rows(), all.lastMinute(), page));
        return lines;
    }

    private static String counted(TailFrame frame, String lateMeans) {
        String late = frame.late() == 0 ? "" : ", " + Text.number(frame.late()) + " late" + lateMeans;
        String skipped = frame.skipped() == 0
                ? ""
                : ", " + Text.count(frame.skipped(), "line") + " skipped, the last one: " + Text.visible(frame.note());
        return Text.count(frame.requests(), "request") + late + skipped;
    }

    private static Cell number(long value) {
        return Cell.of(value == 0 ? Look.DIM : Look.PLAIN, Text.number(value));
    }

    private static Cell share(LimitCounts row) {
        long all = row.allowed() + row.denied();
        return Cell.of(Look.DIM, all == 0 ? "" : Text.percent(row.denied(), all));
    }

    private static String time(TailFrame frame) {
        return frame.time().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** A block that is drawn in the same place. */
    private static final class Block extends TailScreen {
        private int drawn;
        private TerminalSize size;

        Block(Shell shell) {
            super(shell);
            size = shell.size().get();
        }

        @Override
        void begin(TailFrame frame) throws IOException {
            super.begin(frame);
            draw(frame.since(frame), frame);
        }

        @Override
        protected void draw(TailFrame second, TailFrame all) throws IOException {
            Page page = shell.page();
            List<String> lines = new ArrayList<>();
            String state = all.lost().isEmpty() ? counted(all, "") : Text.visible(all.lost());
            lines.add(page.clip(time(second) + "  " + state, page.columns()));
            lines.add("");
            Grid grid = new Grid(List.of(
                    Column.LEFT,
                    Column.RIGHT,
                    Column.RIGHT,
                    Column.OPTIONAL_RIGHT,
                    Column.OPTIONAL_RIGHT,
                    Column.RIGHT));
            grid.addHeadings(List.of("limit", "allowed/s", "denied/s", "", "allowed", "denied"));
            for (int i = 0; i < all.rows().size(); i++) {
                LimitCounts now = second.rows().get(i);
                LimitCounts sum = all.rows().get(i);
                grid.add(List.of(
                        Cell.of(Text.visible(sum.limit())),
                        number(now.allowed()),
                        Cell.of(now.denied() == 0 ? Look.DIM : Look.RED, Text.number(now.denied())),
                        share(now),
                        number(sum.allowed()),
                        number(sum.denied())));
            }
            lines.addAll(grid.lines(page));
            lines.add("");
            lines.addAll(MostDenied.lines(all.rows(), all.lastMinute(), page));
            // The cursor is below the block: one row more would scroll, and the next block would not cover this one.
            List<String> fitting =
                    lines.subList(0, Math.min(lines.size(), shell.size().get().rows() - 1));
            shell.answer(clear() + CUT_LINES + String.join("\n", fitting) + "\n" + WRAP_LINES);
            drawn = fitting.size();
        }

        @Override
        void end(TailFrame all) throws IOException {
            shell.answer(clear() + String.join("\n", summary(all, shell.page())) + "\n");
        }

        /** Returns what clears the block; all of the screen if the terminal has another size, since lines may be wrapped then. */
        private String clear() {
            TerminalSize before = size;
            size = shell.size().get();
            return drawn == 0 ? "" : size.equals(before) ? "\u001b[" + drawn + "A" + CLEAR_BELOW : CLEAR_ALL;
        }
    }

    /** A line for each second. */
    private static final class Lines extends TailScreen {
        Lines(Shell shell) {
            super(shell);
        }

        @Override
        protected void draw(TailFrame second, TailFrame all) throws IOException {
            shell.answer(
                    time(second) + "  " + (all.lost().isEmpty() ? decided(second) : Text.visible(all.lost())) + "\n");
        }

        private static String decided(TailFrame second) {
            return second.rows().stream()
                    .map(row -> "  " + Text.visible(row.limit()) + ": " + Text.number(row.allowed()) + " allowed, "
                            + Text.number(row.denied()) + " denied" + most(row, second.lastMinute()))
                    .collect(Collectors.joining("", Text.count(second.requests(), "request"), ""));
        }

        private static String most(LimitCounts row, boolean lastMinute) {
            if (row.denied() == 0 || row.top().isEmpty()) {
                return "";
            }
            DeniedKey first = row.top().get(0);
            return (lastMinute ? ", most in the last minute " : ", most of all ") + Text.visible(first.key()) + " ("
                    + Text.number(first.denied()) + ")";
        }

        @Override
        void end(TailFrame all) throws IOException {
            shell.answer("\n" + String.join("\n", summary(all, shell.page())) + "\n");
        }
    }
}
