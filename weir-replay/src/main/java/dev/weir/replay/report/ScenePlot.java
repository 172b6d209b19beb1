package dev.weir.replay.report;

import dev.weir.Accounting.Method;
import dev.weir.replay.analysis.Scene;
import java.util.List;
import java.util.stream.LongStream;

/** A worst window: a square for each request, or bars if there are too many; allowed ones above a line, denied ones below it. */
final class ScenePlot {
    private static final int MOST_SQUARES = 12; // in one column
    private static final double SQUARE = 7;
    private static final double PITCH = 9;
    private static final double HEAD = 28; // room for the label of the window
    private static final double FOOT = 26; // room for the times
    private static final double ROOM = 8; // between the highest square and the window's upper edge

    private final boolean squares;
    private final double up;
    private final double down;
    private final double pitch;

    /** A plot with one scale for all scenes. */
    ScenePlot(List<Scene> scenes) {
        long above = 1;
        long below = 1;
        for (Scene scene : scenes) {
            for (int cell = 0; cell < scene.axis().buckets(); cell++) {
                above = Math.max(above, scene.inside(cell) + scene.outside(cell));
                below = Math.max(below, scene.denied(cell));
            }
        }
        squares = Math.max(above, below) <= MOST_SQUARES;
        pitch = squares ? PITCH : MOST_SQUARES * PITCH / Math.max(above, below);
        up = ROOM + above * pitch;
        down = below * pitch + 6;
    }

    boolean drawsSquares() {
        return squares;
    }

    Markup image(Scene scene) {
        boolean over = scene.permits() > scene.limit().permits();
        double line = HEAD + up;
        Svg svg = new Svg();
        window(svg, scene, over);
        boundaries(svg, scene, line + down);
        svg.line("0", line + 0.5, "100%", line + 0.5, "base");
        for (int cell = 0; cell < scene.axis().buckets(); cell++) {
            double x = (cell + 0.5) / scene.axis().buckets();
            column(svg, x, line, scene.outside(cell), 0, "a out");
            column(svg, x, line, scene.inside(cell), scene.outside(cell), "a");
            below(svg, x, line, scene.denied(cell));
        }
        times(svg, scene, line + down + 16);
        return svg.image(line + down + FOOT, label(scene));
    }

    private static String label(Scene scene) {
        return scene.limit() + ": " + Words.number(scene.permits()) + " permits granted to one key within "
                + Words.spell(scene.limit().windowNanos()) + ", limit "
                + Words.number(scene.limit().permits());
    }

    private void window(Svg svg, Scene scene, boolean over) {
        double from = Math.max(0, scene.windowStart());
        double to = Math.min(1, scene.windowEnd());
        svg.rect(Svg.across(from), HEAD - ROOM, Svg.across(to - from), up + ROOM, over ? "overwin" : "win");
        svg.line(Svg.across(from), HEAD - ROOM, Svg.across(to), HEAD - ROOM, over ? "overtop" : "top");
        String text = Words.number(scene.permits()) + " in "
                + Words.duration(scene.limit().windowNanos());
        svg.text(Svg.across((from + to) / 2), HEAD - ROOM - 7, "mid", text);
    }

    private void boundaries(Svg svg, Scene scene, double bottom) {
        if (scene.limit().accounting().method() == Method.CLOCK_WINDOWS) {
            for (long time : multiples(scene)) {
                String x = Svg.across(scene.axis().position(time));
                svg.line(x, HEAD - ROOM, x, bottom, "drop");
            }
        }
    }

    private void column(Svg svg, double x, double line, long requests, long under, String cssClass) {
        if (squares) {
            for (long i = under; i < under + requests; i++) {
                square(svg, x, line - 2 - SQUARE - i * PITCH, SQUARE, cssClass);
            }
        } else if (requests > 0) {
            bar(svg, x, line - (under + requests) * pitch, requests * pitch, cssClass);
        }
    }

    private void below(Svg svg, double x, double line, long requests) {
        if (squares) {
            for (long i = 0; i < requests; i++) {
                square(svg, x, line + 4 + i * PITCH, SQUARE - 1, "hollow");
            }
        } else if (requests > 0) {
            bar(svg, x, line + 1, requests * pitch, "d");
        }
    }

    private static void square(Svg svg, double x, double y, double size, String cssClass) {
        centred(svg, x, y, size, size, cssClass);
    }

    private static void bar(Svg svg, double x, double y, double height, String cssClass) {
        centred(svg, x, y, SQUARE, Math.max(1, height), cssClass);
    }

    /** Draws a rectangle whose top is centred at a point. */
    private static void centred(Svg svg, double x, double y, double width, double height, String cssClass) {
        String half = "translate(" + Svg.at(-width / 2) + ")";
        svg.rect(Svg.across(x), y, Svg.at(width), height, cssClass, "transform", half);
    }

    private static void times(Svg svg, Scene scene, double y) {
        for (long time : multiples(scene)) {
            double place = scene.axis().position(time);
            if (place > 0.08 && place < 0.92) {
                svg.text(
                        Svg.across(place),
                        y,
                        "mid",
                        Times.clock(time, scene.limit().windowNanos()));
            }
        }
    }

    /** Returns the multiples of the window's length on the axis: two or three. */
    private static List<Long> multiples(Scene scene) {
        long window = scene.limit().windowNanos();
        long start = scene.axis().startNanos();
        return LongStream.rangeClosed(start / window, scene.endNanos() / window + 1)
                .map(multiple -> multiple * window)
                .filter(time -> time > start && scene.axis().position(time) < 1)
                .boxed()
                .toList();
    }
}
