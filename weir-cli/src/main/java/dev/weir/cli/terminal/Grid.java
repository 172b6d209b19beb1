package dev.weir.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of cells in aligned columns. What does not fit the page loses its optional columns, the first ones first, and
 * then, if the page cuts, the end of its first column.
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
        OPTIONAL_RIGHT;

        private boolean optional() {
            return this == OPTIONAL_RIGHT;
        }

        private boolean left() {
            return this == LEFT;
        }
    }

    private final List<Column> columns;
    private final List<List<Cell>> rows = new ArrayList<>();

    /** An empty grid. */
    public Grid(List<Column> columns) {
        this.columns = List.copyOf(columns);
    }

    /** Adds a row of headings, one for each column; empty for a column without. */
    public void addHeadings(List<String> headings) {
        add(headings.stream().map(heading -> Cell.of(Look.BOLD, heading)).toList());
    }

    /** Adds a row with a cell for each column. */
    public void add(List<Cell> row) {
        if (row.size() != columns.size()) {
            throw new IllegalArgumentException("row must have " + columns.size() + " cells, had " + row.size());
        }
        rows.add(List.copyOf(row));
    }

    /** The rows as lines that fit the page, without spaces at their ends. */
    public List<String> lines(Page page) {
        int[] widths = widths(page);
        return rows.stream().map(row -> line(row, widths, page)).toList();
    }

    /** How wide the grid is on a page. */
    public int width(Page page) {
        return total(widths(page));
    }

    private int[] widths(Page page) {
        int[] widths = new int[columns.size()];
        for (List<Cell> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).width());
            }
        }
        for (int i = 0; i < widths.length && total(widths) > page.columns(); i++) {
            widths[i] = columns.get(i).optional() ? 0 : widths[i];
        }
        int over = page.cuts() ? Math.max(0, total(widths) - page.columns()) : 0;
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

    private String line(List<Cell> row, int[] widths, Page page) {
        StringBuilder line = new StringBuilder();
        int owed = 0; // spaces that are written only if something follows
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] == 0) {
                continue;
            }
            Cell cell = row.get(i).clip(widths[i], page);
            int padding = widths[i] - cell.width();
            if (cell.width() > 0) {
                line.append(" ".repeat(owed + (columns.get(i).left() ? 0 : padding)))
                        .append(cell.paint(page));
                owed = 0;
            } else {
                owed += columns.get(i).left() ? 0 : padding;
            }
            owed += GAP + (columns.get(i).left() ? padding : 0);
        }
        return line.toString();
    }
}
