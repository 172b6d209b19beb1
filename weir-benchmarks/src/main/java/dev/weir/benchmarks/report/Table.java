package dev.weir.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Markdown table. The first column is aligned to the left, the others to the right. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    /** Creates a table without rows. */
    public Table(List<String> header) {
        rows.add(header);
    }

    /** Adds a row with as many cells as the header. */
    public void add(List<String> row) {
        int columns = rows.get(0).size();
        if (row.size() != columns) {
            throw new IllegalArgumentException("row must have " + columns + " cells, had " + row.size());
        }
        rows.add(row);
    }

    /** Returns the lines, each with its end. */
    @Override
    public String toString() {
        int[] widths = IntStream.range(0, rows.get(0).size()).map(this::width).toArray();
        List<String> lines = new ArrayList<>();
        rows.forEach(row -> lines.add(line(widths, row::get)));
        lines.add(1, line(widths, column -> {
            String dashes = "-".repeat(widths[column] - 1);
            return column == 0 ? ":" + dashes : dashes + ":";
        }));
        return String.join("", lines);
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).reduce(3, Math::max);
    }

    private static String line(int[] widths, IntFunction<String> cell) {
        return IntStream.range(0, widths.length)
                .mapToObj(column ->
                        String.format("%" + (column == 0 ? "-" : "") + widths[column] + "s", cell.apply(column)))
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
