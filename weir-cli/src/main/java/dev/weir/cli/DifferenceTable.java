package dev.weir.cli;

import dev.weir.cli.terminal.Cell;
import dev.weir.cli.terminal.Grid;
import dev.weir.cli.terminal.Grid.Column;
import dev.weir.cli.terminal.Page;
import dev.weir.cli.terminal.Text;
import dev.weir.replay.Recording;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The differences between two limits for people: how many there are, and the first of them. */
final class DifferenceTable {
    private static final int SHOWN = 20;

    private final Grid grid = new Grid(List.of(Column.LEFT, Column.LEFT, Column.LEFT));
    private final long[] allowedOnlyBy = new long[2];
    private final List<String> limits;

    private DifferenceTable(Recording recording) {
        limits = recording.results().stream()
                .map(result -> result.limit().toString())
                .toList();
    }

    static String text(Trace trace, Recording recording, Page page) throws IOException {
        DifferenceTable table = new DifferenceTable(recording);
        table.grid.addHeadings(List.of("key", "time", "allowed only by"));
        recording.forEachDifference(trace, (timeNanos, keyId, permits, allowedBy) -> {
            if (table.count() < SHOWN) {
                String key = Text.visible(trace.key(keyId));
                String time = Instant.EPOCH.plusNanos(timeNanos).toString();
                table.grid.add(List.of(Cell.of(key), Cell.of(time), Cell.of(table.limits.get(allowedBy))));
            }
            table.allowedOnlyBy[allowedBy]++;
        });
        return String.join("\n", table.lines(page)) + "\n";
    }

    private long count() {
        return allowedOnlyBy[0] + allowedOnlyBy[1];
    }

    private List<String> lines(Page page) {
        List<String> lines = new ArrayList<>(List.of(""));
        if (count() == 0) {
            lines.add("the limits differ on no request");
            return lines;
        }
        lines.add("the limits differ on " + Text.count(count(), "request") + ":");
        for (int limit = 0; limit < 2; limit++) {
            String line = "  " + Text.number(allowedOnlyBy[limit]) + " allowed only by " + limits.get(limit);
            lines.add(page.clip(line, page.columns()));
        }
        lines.add("");
        lines.addAll(grid.lines(page));
        if (count() > SHOWN) {
            lines.add("and " + Text.number(count() - SHOWN) + " more; --json lists all of them");
        }
        return lines;
    }
}
