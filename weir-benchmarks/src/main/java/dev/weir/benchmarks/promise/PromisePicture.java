package dev.weir.benchmarks.promise;

import com.google.common.io.Resources;
import dev.weir.benchmarks.report.FailedMeasureException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/** The worst window of each limiter as an SVG image: a row for each limiter, a column for each kind of traffic. */
final class PromisePicture {
    private static final int WIDTH = 960;
    private static final int MARGIN = 24;
    private static final int NAMES = 216;
    private static final int HEAD = 118;
    private static final int ROW = 40;
    private static final int BAR = 12; // height
    private static final int GAP = 24; // between columns
    private static final int NUMBER = 52; // to the right of a bar
    private static final long LIMIT = 100;
    private static final double MOST = 2.1 * LIMIT; // a longer bar is cut; its number shows how long it is

    private final List<String> traffic;
    private final List<Result> results;
    private final Formatter out = new Formatter(Locale.ROOT);

    PromisePicture(List<String> traffic, List<Result> results) {
        this.traffic = traffic;
        this.results = results;
    }

    /** Returns the document. */
    String svg() {
        List<Subject> subjects =
                results.stream().map(Result::subject).distinct().toList();
        int height = HEAD + subjects.size() * ROW + MARGIN;
        for (int column = 0; column < traffic.size(); column++) {
            column(column, subjects);
        }
        for (int row = 0; row < subjects.size(); row++) {
            text(MARGIN, top(row) + 15, "", subjects.get(row).title);
        }
        URL frame = Resources.getResource(PromisePicture.class, "promise.svg");
        return FailedMeasureException.result("promise.svg", () -> Resources.toString(frame, StandardCharsets.UTF_8))
                .replace("{{height}}", String.valueOf(height))
                .replace("{{innerheight}}", String.valueOf(height - 1))
                .replace("{{content}}", out.toString());
    }

    private void column(int column, List<Subject> subjects) {
        double x = left(column);
        text(x, HEAD - 16, "head", traffic.get(column));
        for (Result result : results) {
            if (result.traffic().equals(traffic.get(column))) {
                bar(x, top(subjects.indexOf(result.subject())), result);
            }
        }
    }

    private void bar(double x, double y, Result result) {
        long worst = result.worstWindow();
        double length = width() * Math.min(1, worst * 1.0 / MOST);
        String cssClass = worst > LIMIT ? "over" : "holds";
        out.format("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" ", cssClass, x, y + 4, length);
        out.format("height=\"%d\" rx=\"2\"/>%n", BAR);
        double limit = x + width() * LIMIT / MOST;
        out.format("<line class=\"limit\" x1=\"%1$.1f\" y1=\"%2$.1f\" x2=\"%1$.1f\" ", limit, y);
        out.format("y2=\"%.1f\"/>%n", y + BAR + 8);
        String number = result.range("%,.0f", Examination.Finding::worstWindow);
        double after = Math.max(x + length, worst < LIMIT / 2 ? 0 : limit) + 6;
        text(after, y + 15, worst > LIMIT ? "over-ink" : "", number);
        text(x, y + 29, "quiet", result.use() + " used, " + result.wronglyDenied() + " wrongly denied");
    }

    private double left(int column) {
        return MARGIN + NAMES + column * (width() + NUMBER + GAP);
    }

    private double width() {
        return (WIDTH - 2.0 * MARGIN - NAMES - (traffic.size() - 1) * GAP) / traffic.size() - NUMBER;
    }

    private static double top(int row) {
        return HEAD + (double) row * ROW;
    }

    private void text(double x, double y, String cssClass, String content) {
        out.format("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>%n", cssClass, x, y, content);
    }
}
