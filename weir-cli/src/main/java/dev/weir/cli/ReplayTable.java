package dev.weir.cli;

import dev.weir.cli.terminal.Cell;
import dev.weir.cli.terminal.Grid;
import dev.weir.cli.terminal.Grid.Column;
import dev.weir.cli.terminal.Look;
import dev.weir.cli.terminal.Page;
import dev.weir.cli.terminal.Text;
import dev.weir.replay.ReplayResult;
import dev.weir.replay.ReplayResult.Delays;
import dev.weir.replay.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The results as a table for people: a row for each limit with its worst window drawn to one scale, then the keys denied most. On
 * a terminal too narrow for that, a block of lines for each limit.
 */
final class ReplayTable {
    private static final int GAP = 2;
    private static final int LONGEST_BAR = 24;
    private static final int SHORTEST_BAR = 8;

    private final List<ReplayResult> results;
    private final Page page;
    private final boolean delaysInTable;

    private ReplayTable(List<ReplayResult> results, Page page) {
        this.results = results;
        this.page = page;
        delaysInTable = queues(results).findAny().isPresent() && grid(0, true).width(page.uncut()) <= page.columns();
    }

    static String text(Trace trace, List<ReplayResult> results, Page page) {
        List<String> lines = new ArrayList<>();
        lines.addAll(summary(trace, page));
        lines.add("");
        lines.addAll(new ReplayTable(results, page).lines());
        lines.add("");
        lines.addAll(MostDenied.lines(counts(results), false, page));
        return String.join("\n", lines) + "\n";
    }

    private static List<LimitCounts> counts(List<ReplayResult> results) {
        return results.stream()
                .map(result -> new LimitCounts(
                        result.limit().toString(), result.allowed(), result.denied(), result.topDenied()))
                .toList();
    }

    private static List<String> summary(Trace trace, Page page) {
        String requests = Text.count(trace.requests(), "request") + " by " + Text.count(trace.keys(), "key");
        if (trace.skipped() == 0) {
            return List.of(requests);
        }
        String skipped = Text.count(trace.skipped(), "line") + " skipped";
        String both = requests + ", " + skipped;
        return page.cuts() && Text.width(both) > page.columns() ? List.of(requests, skipped) : List.of(both);
    }

    private static Stream<ReplayResult> queues(List<ReplayResult> results) {
        return results.stream().filter(result -> result.delays() != null);
    }

    /** How long queues made requests wait, where the table is too narrow to say so. */
    private List<String> delays() {
        return delaysInTable
                ? List.of()
                : queues(results)
                        .map(result -> "delayed by " + result.limit() + ": " + delayed(result.delays()))
                        .toList();
    }

    private List<String> lines() {
        int bare = grid(0).width(page);
        if (page.cuts() && bare > page.columns()) {
            return blocks();
        }
        int bar = Math.min(LONGEST_BAR, page.columns() - bare - GAP);
        Grid grid = bar < SHORTEST_BAR ? grid(0) : grid(bar);
        List<String> lines = new ArrayList<>(grid.lines(page));
        String rule = page.choose("─", "-").repeat(grid.width(page));
        lines.add(1, page.paint(Look.DIM, rule));
        lines.addAll(delays());
        return lines;
    }

    /** The table for a narrow terminal: the limit on a line of its own, then a line for each figure. */
    private List<String> blocks() {
        List<String> lines = new ArrayList<>();
        for (ReplayResult result : results) {
            lines.addAll(lines.isEmpty() ? List.of() : List.of(""));
            lines.add(page.paint(Look.BOLD, page.clip(result.limit().toString(), page.columns())));
            for (Cell line : figures(result)) {
                lines.add(line.clip(page.columns(), page).paint(page));
            }
        }
        return lines;
    }

    private List<Cell> figures(ReplayResult result) {
        long denied = result.denied();
        List<Cell> figures = new ArrayList<>();
        figures.add(Cell.of("  allowed  " + Text.number(result.allowed())));
        figures.add(Cell.of("  denied   " + Text.number(denied) + "  ")
                .then(Cell.of(Look.DIM, Text.percent(denied, result.allowed() + denied))));
        if (result.delays() != null) {
            figures.add(Cell.of("  delayed  " + delayed(result.delays())));
        }
        if (result.hasWindow()) {
            figures.add(Cell.of("  worst    ")
                    .then(worst(result))
                    .then(Cell.of("  "))
                    .then(verdict(result)));
        }
        return figures;
    }

    private static Look look(ReplayResult result) {
        return result.holds() ? Look.GREEN : Look.RED;
    }

    private static Cell worst(ReplayResult result) {
        return Cell.of(
                look(result),
                Text.number(result.worstWindow()) + " of "
                        + Text.number(result.limit().permits()));
    }

    private Cell verdict(ReplayResult result) {
        return Cell.of(look(result), result.verdict().replace("×", page.choose("×", "x")));
    }

    private Grid grid(int bar) {
        return grid(bar, delaysInTable);
    }

    private Grid grid(int bar, boolean delays) {
        List<Column> kinds = new ArrayList<>(List.of(Column.LEFT, Column.RIGHT, Column.RIGHT, Column.OPTIONAL_RIGHT));
        List<String> headings = new ArrayList<>(List.of("limit", "allowed", "denied", ""));
        if (delays) {
            kinds.add(Column.RIGHT);
            headings.add("delayed");
        }
        kinds.addAll(List.of(Column.RIGHT, Column.LEFT, Column.LEFT));
        headings.addAll(List.of("worst window", "", ""));
        Grid grid = new Grid(kinds);
        grid.addHeadings(headings);
        results.forEach(result -> grid.add(row(result, bar, delays)));
        return grid;
    }

    private List<Cell> row(ReplayResult result, int bar, boolean delays) {
        List<Cell> row = new ArrayList<>();
        row.add(Cell.of(result.limit().toString()));
        row.add(Cell.of(Text.number(result.allowed())));
        row.add(Cell.of(result.denied() == 0 ? Look.DIM : Look.PLAIN, Text.number(result.denied())));
        row.add(Cell.of(Look.DIM, Text.percent(result.denied(), result.allowed() + result.denied())));
        if (delays) {
            row.add(Cell.of(delayed(result.delays())));
        }
        row.add(result.hasWindow() ? worst(result) : Cell.EMPTY);
        row.add(result.hasWindow() ? verdict(result) : Cell.EMPTY);
        row.add(
                bar == 0 || !result.hasWindow()
                        ? Cell.EMPTY
                        : bar(result.worstWindow(), result.limit().permits(), bar));
        return row;
    }

    private static String delayed(@Nullable Delays delays) {
        if (delays == null) {
            return "";
        }
        String upTo = delays.delayed() == 0 ? "" : " up to " + Text.millis(delays.maxWaitMillis());
        return Text.number(delays.delayed()) + upTo;
    }

    private static double ratio(ReplayResult result) {
        return (double) result.worstWindow() / result.limit().permits();
    }

    /** The worst window as a length; what is over the limit looks different, without colours too. */
    private Cell bar(long worst, long permits, int longest) {
        double most = results.stream().mapToDouble(ReplayTable::ratio).max().orElse(1);
        double unit = longest / Math.max(1, most);
        long within = Math.round(unit * Math.min(worst, permits) / permits);
        long over = worst <= permits ? 0 : Math.max(1, Math.round(unit * worst / permits) - within);
        return Cell.of(Look.GREEN, page.choose("█", "#").repeat((int) within))
                .then(Cell.of(Look.RED, page.choose("▒", "!").repeat((int) over)));
    }
}
