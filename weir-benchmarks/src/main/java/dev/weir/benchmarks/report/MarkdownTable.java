package dev.weir.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table that a page and a terminal show alike. The first column is aligned to the left, the others to the right. */
final class MarkdownTable {
    private final List<String> header;
    private final List<List<String>> rows = new ArrayList<>();

    MarkdownTable(String... header) {
        this(Arrays.asList(header));
    }

    MarkdownTable(List<String> header) {
        this.header = List.copyOf(header);
    }

    void add(List<String> row) {
        if (row.size() != header.size()) {
            throw new IllegalArgumentException("row must have " + header.size() + " cells, had " + row.size());
        }
        rows.add(List.copyOf(row));
    }

    void add(String... row) {
        add(Arrays.asList(row));
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The lines, each with its end. */
    String text() {
        int[] widths = new int[header.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = Math.max(3, header.get(column).length());
            for (List<String> row : rows) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        StringBuilder text = new StringBuilder();
        line(text, header, widths);
        for (int column = 0; column < widths.length; column++) {
            String dashes = "-".repeat(widths[column] - 1);
            text.append("| ").append(column == 0 ? ":" + dashes : dashes + ":").append(' ');
        }
        text.append("|\n");
        rows.forEach(row -> line(text, row, widths));
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> cells, int[] widths) {
        for (int column = 0; column < widths.length; column++) {
            String cell = cells.get(column);
            String padding = " ".repeat(widths[column] - cell.length());
            text.append("| ")
                    .append(column == 0 ? cell + padding : padding + cell)
                    .append(' ');
        }
        text.append("|\n");
    }
}
