package dev.weir.benchmarks.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A table that a page and a terminal show alike. The first column is aligned to the left, the others to the right. */
final class MarkdownTable {
    private final List<List<String>> rows = new ArrayList<>();
    private final int columns;

    MarkdownTable(String... header) {
        this(List.of(header));
    }

    MarkdownTable(List<String> header) {
        columns = header.size();
        rows.add(header);
    }

    void add(String... row) {
        add(List.of(row));
    }

    void add(List<String> row) {
        if (row.size() != columns) {
            throw new IllegalArgumentException("row must have " + columns + " cells, had " + row.size());
        }
        rows.add(row);
    }

    /** Returns the lines, each with its end. */
    String text() {
        List<Integer> widths = new ArrayList<>(Collections.nCopies(columns, 3));
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths.set(i, Math.max(widths.get(i), row.get(i).length()));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                String padding = " ".repeat(widths.get(i) - row.get(i).length());
                text.append("| ")
                        .append(i == 0 ? row.get(i) + padding : padding + row.get(i))
                        .append(' ');
            }
            text.append("|\n");
            if (row == rows.get(0)) {
                for (int i = 0; i < columns; i++) {
                    String dashes = "-".repeat(widths.get(i) - 1);
                    text.append("| ")
                            .append(i == 0 ? ":" + dashes : dashes + ":")
                            .append(' ');
                }
                text.append("|\n");
            }
        }
        return text.toString();
    }
}
