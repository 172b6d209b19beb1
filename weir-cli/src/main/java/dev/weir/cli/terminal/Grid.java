package dev.weir.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of cells in aligned columns, no wider than the terminal: what does not fit loses its optional columns, the last
 * ones first, and then the end of its first column.
 */
public final class Grid {
    private static final int GAP = 2;
    private static final int NARROWEST_FIRST = 12;

    /** How a column behaves. */
    public enum Column {
        /** Text, flush left. */
        LEFT,
        /** Numbers, flush right. */
        RIGHT,
        /** Flush right, and first to go when there is no room. */
        OPTIONAL_RIGHT,
        /** Flush left, and first to go when there is no room. */
        OPTIONAL_LEFT;

        private boolean optional() {
            return this == OPTIONAL_LEFT || this == OPTIONAL_RIGHT;
        }

        private boolean left() {
            return this == LEFT || this == OPTIONAL_LEFT;
        }
    }

    private final List<Column> columns;
    private final List<List<Cell>> rows = new ArrayList<>();

    /** An empty grid. */
    public Grid(List<Column> columns) {
        this.columns = List.copyOf(columns);
    }

    /** Adds a row with a cell for each column. */
    public void add(List<Cell> row) {
        if (row.size() != columns.size()) {
            throw new IllegalArgumentException("row must have " + columns.size() + " cells, had " + row.size());
        }
        rows.add(List.copyOf(row));
    }

    /** The rows as lines of at most {@code width} columns, without spaces at their ends. */
    public List<String> lines(int width, Ink ink) {
        int[] widths = widths(width);
        return rows.stream().map(row -> line(row, widths, ink)).toList();
    }

    /** The columns that the longest of {@link #lines} takes. */
    public int width(int width) {
        return total(widths(width));
    }

    private int[] widths(int room) {
        int[] widths = new int[columns.size()];
        for (List<Cell> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).width());
            }
        }
        for (int i = widths.length - 1; i >= 0 && total(widths) > room; i--) {
            widths[i] = columns.get(i).optional() ? 0 : widths[i];
        }
        int over = Math.max(0, total(widths) - room);
        widths[0] = Math.max(Math.min(widths[0], NARROWEST_FIRST), widths[0] - over);
        return widths;
    }

    private static int total(int[] widths) {
        int total = 0;
        for (int width : widths) {
            total += width == 0 ? 0 : width + GAP;
        }
        return Math.max(0, total - GAP);
    }

    private String line(List<Cell> row, int[] widths, Ink ink) {
        StringBuilder line = new StringBuilder();
        int owed = 0; // spaces that are written only if something follows
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] == 0) {
                continue;
            }
            Cell cell = row.get(i).clip(widths[i], ink);
            int padding = widths[i] - cell.width();
            if (cell.width() > 0) {
                line.append(" ".repeat(owed + (columns.get(i).left() ? 0 : padding)))
                        .append(cell.paint(ink));
                owed = 0;
            } else {
                owed += columns.get(i).left() ? 0 : padding;
            }
            owed += GAP + (columns.get(i).left() ? padding : 0);
        }
        return line.toString();
    }
}
