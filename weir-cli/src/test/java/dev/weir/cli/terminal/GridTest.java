package dev.weir.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cli.terminal.Grid.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GridTest {
    private static Grid grid() {
        Grid grid = new Grid(List.of(Column.LEFT, Column.RIGHT, Column.OPTIONAL_RIGHT, Column.LEFT));
        grid.add(row("a long first cell", "1", "opt", "x"));
        grid.add(row("b", "1,000", "", ""));
        grid.add(row("", "20", "", "yy"));
        return grid;
    }

    private static Page page(int columns, boolean cuts) {
        return new Page(columns, cuts, false, true);
    }

    private static List<Cell> row(String... cells) {
        return List.of(cells).stream().map(Cell::of).toList();
    }

    @Test
    void lines_roomEnough_areAligned() {
        Page page = page(80, true);

        assertThat(grid().lines(page))
                .containsExactly(
                        "a long first cell      1  opt  x", //
                        "b                  1,000",
                        "                      20       yy");
        assertThat(grid().width(page)).isEqualTo(33);
    }

    @Test
    void lines_littleRoom_loseOptionalColumn() {
        assertThat(grid().lines(page(32, true)))
                .containsExactly(
                        "a long first cell      1  x", //
                        "b                  1,000",
                        "                      20  yy");
    }

    @Test
    void lines_lessRoom_loseEndOfFirstColumn() {
        assertThat(grid().lines(page(24, true)))
                .containsExactly(
                        "a long first…      1  x", //
                        "b              1,000",
                        "                  20  yy");
    }

    @Test
    void lines_pageThatDoesNotCut_keepFirstColumn() {
        assertThat(grid().lines(page(10, false)).get(0)).startsWith("a long first cell  ");
    }

    @Test
    void lines_coloured_areAlignedByWhatIsSeen() {
        Grid grid = new Grid(List.of(Column.RIGHT, Column.LEFT));
        grid.add(List.of(Cell.of(Look.RED, "1"), Cell.of("x")));
        grid.add(List.of(Cell.of(Look.DIM, "2").then(Cell.of("2")), Cell.EMPTY));

        assertThat(grid.lines(new Page(80, true, true, true)))
                .containsExactly(" \u001b[31m1\u001b[0m  x", "\u001b[2m2\u001b[0m2");
    }

    @Test
    void add_wrongNumberOfCells_isRefused() {
        assertThatThrownBy(() -> grid().add(row("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("row must have 4 cells, had 1");
    }
}
