package dev.weir.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A piece of one line: runs of text, each with its look. Its width does not count the codes for the looks. */
public final class Cell {
    private record Run(String text, Look look) {}

    /** Nothing. */
    public static final Cell EMPTY = new Cell(List.of());

    private final List<Run> runs;

    private Cell(List<Run> runs) {
        this.runs = runs;
    }

    /** Text in one look. */
    public static Cell of(Look look, String text) {
        return new Cell(List.of(new Run(text, look)));
    }

    /** Text as it comes. */
    public static Cell of(String text) {
        return of(Look.PLAIN, text);
    }

    /** This cell and then another. */
    public Cell then(Cell next) {
        List<Run> all = new ArrayList<>(runs);
        all.addAll(next.runs);
        return new Cell(List.copyOf(all));
    }

    /** The columns it takes. */
    public int width() {
        return runs.stream().mapToInt(run -> Text.width(run.text)).sum();
    }

    /** Returns the cell cut to a width, in the look of its first run; itself if it fits. */
    public Cell clip(int width, Page page) {
        if (width() <= width) {
            return this;
        }
        String text = runs.stream().map(Run::text).collect(Collectors.joining());
        return of(runs.get(0).look, Text.clip(text, width, page.ellipsis()));
    }

    /** The cell as it is sent. */
    public String paint(Page page) {
        return runs.stream().map(run -> page.paint(run.look, run.text)).collect(Collectors.joining());
    }
}
