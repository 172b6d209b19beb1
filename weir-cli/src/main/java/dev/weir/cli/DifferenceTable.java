package dev.weir.cli;

import dev.weir.cli.terminal.Cell;
import dev.weir.cli.terminal.Grid;
import dev.weir.cli.terminal.Grid.Column;
import dev.weir.cli.terminal.Page;
import dev.weir.cli.terminal.Text;
import dev.weir.replay.Comparison;
import dev.weir.replay.Recording;
import dev.weir.replay.Recording.Difference;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The differences between two limits for people: how many there are, and the first of them. */
final class DifferenceTable {
    private static final int SHOWN = 20;

    private DifferenceTable() {}

    static String text(Trace trace, Recording recording, Page page) throws IOException {
        Comparison comparison = Comparison.of(trace, recording, SHOWN);
        List<String> limits = recording.results().stream()
                .map(result -> result.limit().toString())
                .toList();
        if (comparison.count() == 0) {
            return "\nthe limits differ on no request\n";
        }
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("the limits differ on " + Text.count(comparison.count(), "request") + ":");
        lines.add(only(comparison.onlyFirst(), limits.get(0), page));
        lines.add(only(comparison.onlySecond(), limits.get(1), page));
        lines.add("");
        Grid grid = new Grid(List.of(Column.LEFT, Column.LEFT, Column.LEFT));
        grid.addHeadings(List.of("key", "time", "allowed only by"));
        for (Difference difference : comparison.earliest()) {
            String key = Text.visible(difference.key());
            String time = Instant.EPOCH.plusNanos(difference.timeNanos()).toString();
            grid.add(List.of(Cell.of(key), Cell.of(time), Cell.of(limits.get(difference.allowedBy()))));
        }
        lines.addAll(grid.lines(page));
        if (comparison.count() > SHOWN) {
            lines.add("and " + Text.number(comparison.count() - SHOWN) + " more; --json lists all of them");
        }
        return String.join("\n", lines) + "\n";
    }

    private static String only(long requests, String limit, Page page) {
        return page.clip("  " + Text.number(requests) + " allowed only by " + limit, page.columns());
    }
}
