package dev.weir.replay.report;

import dev.weir.replay.analysis.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Bars above a line for allowed requests and below it for denied ones, on one scale. A bar that is longer than its side is cut and
 * shows its number.
 *
 * @param up the height above the line
 * @param down the height below it
 * @param full the number of requests that is as high as {@code up}
 */
record BarPlot(double up, double down, double full) {
    private static final double SHORTEST = 1.5; // so that one request can be seen
    private static final int MOST_NOTES = 3;
    private static final double APART = 0.08; // of the width, between two numbers
    private static final double GAP = 0.12; // of a bucket, on each side of a bar

    double height() {
        return up + 1 + down;
    }

    /** Returns the bars of a timeline. */
    Markup bars(Timeline timeline) {
        int buckets = timeline.buckets();
        StringBuilder allowed = new StringBuilder();
        StringBuilder denied = new StringBuilder();
        for (int i = 0; i < buckets; i++) {
            bar(allowed, i, up, -length(timeline.allowed(i), up));
            bar(denied, i, up + 1, length(timeline.denied(i), down));
        }
        return new Svg()
                .path(allowed, "a")
                .path(denied, "d")
                .path("M0 " + Svg.at(up + 0.5) + "H" + buckets, "base")
                .stretched(buckets, height());
    }

    private double length(long requests, double room) {
        return requests == 0 ? 0 : Math.min(room, Math.max(SHORTEST, requests * up / full));
    }

    private static void bar(StringBuilder path, int bucket, double from, double length) {
        if (length != 0) {
            path.append('M').append(Svg.at(bucket + GAP)).append(' ').append(Svg.at(from));
            path.append('v')
                    .append(Svg.at(length))
                    .append("h.76V")
                    .append(Svg.at(from))
                    .append('z');
        }
    }

    /** Returns the numbers of the longest cut bars below the line. */
    Markup notesBelow(Timeline timeline) {
        return notes(timeline.buckets(), timeline::denied, down, height() - 2, "clip");
    }

    /** Returns the numbers of the longest cut bars above the line. */
    Markup notesAbove(Timeline timeline) {
        return notes(timeline.buckets(), timeline::allowed, up, -3, "clip up");
    }

    private Markup notes(int buckets, IntToLongFunction value, double room, double y, String cssClass) {
        List<Integer> cut = new ArrayList<>();
        for (int i = 0; i < buckets; i++) {
            if (value.applyAsLong(i) * up / full > room) {
                cut.add(i);
            }
        }
        cut.sort((one, other) -> Long.compare(value.applyAsLong(other), value.applyAsLong(one)));
        List<Integer> noted = new ArrayList<>();
        Svg svg = new Svg();
        for (int i : cut) {
            boolean free = noted.stream().allMatch(at -> Math.abs(at - i) > APART * buckets);
            if (free && noted.size() < MOST_NOTES) {
                noted.add(i);
                double middle = (i + 0.5) / buckets;
                String side = middle > 0.9 ? cssClass + " end" : cssClass;
                double offset = (middle > 0.9 ? -1.0 : 1.0) / buckets;
                svg.text(Svg.across(middle + offset), y, side, Words.number(value.applyAsLong(i)));
            }
        }
        return svg.markup();
    }
}
