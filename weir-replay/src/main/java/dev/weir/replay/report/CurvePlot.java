package dev.weir.replay.report;

import dev.weir.replay.analysis.Analysis;
import dev.weir.replay.analysis.Curve;
import dev.weir.replay.analysis.Curve.Point;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The curve from the limit to the shares of requests and of keys denied. One step of x is one point; y is logarithmic. */
final class CurvePlot {
    static final double HEIGHT = 292;

    private static final double TOP = 26; // below the name of a line at 100 %
    private static final double NONE = 248; // y of nothing denied
    private static final double LOWEST = 242; // y of the smallest share
    private static final double DECADES = 180; // the height of all decades
    private static final double FLOOR = 270; // y of the numbers' upper edge
    private static final int MOST_DECADES = 6;
    private static final List<String> SHARES = List.of("100", "10", "1", "0.1", "0.01", "0.001", "0.0001");
    private static final int CROWDED = 10; // points, above which a narrow page shows every other number

    private final Curve curve;
    private final double requests;
    private final double keys;
    private final Subject subject;
    private final int decades;

    CurvePlot(Analysis analysis, Subject subject) {
        this.curve = analysis.curve();
        this.requests = analysis.traffic().requests();
        this.keys = analysis.traffic().keys();
        this.subject = subject;
        this.decades = decades();
    }

    /** At least three, and as many as the smallest share needs. */
    private int decades() {
        double least = curve.points().stream()
                .filter(point -> point.deniedRequests() > 0)
                .mapToDouble(this::requestShare)
                .min()
                .orElse(1);
        return Math.max(3, Math.min(MOST_DECADES, (int) Math.ceil(-Math.log10(least))));
    }

    private double requestShare(Point point) {
        return point.deniedRequests() / requests;
    }

    private double keyShare(Point point) {
        return point.deniedKeys() / keys;
    }

    private double y(double share) {
        return share == 0 ? NONE : Math.min(LOWEST, TOP - Math.log10(share) * DECADES / decades);
    }

    private double x(int point) {
        return (point + 0.5) / curve.points().size();
    }

    /** Returns the image, in which the main suggestion is marked. */
    Markup image(String label) {
        Svg svg = new Svg();
        grid(svg);
        marker(svg);
        Svg lines = new Svg();
        lines.path(line(this::requestShare), "lr").path(line(this::keyShare), "lc");
        svg.add(lines.stretched(1000, FLOOR));
        dots(svg, this::requestShare, "dr");
        dots(svg, this::keyShare, "dc");
        names(svg);
        numbers(svg);
        return svg.image(HEIGHT, label);
    }

    private void grid(Svg svg) {
        for (int decade = 0; decade <= decades; decade++) {
            gridLine(svg, TOP + DECADES * decade / decades, SHARES.get(decade) + Words.NBSP + "%");
        }
        gridLine(svg, NONE, "none");
    }

    private static void gridLine(Svg svg, double y, String label) {
        svg.line("0", y, "100%", y, "grid").text("-8", y + 4, "end", label);
    }

    private void marker(Svg svg) {
        double width = 1.0 / curve.points().size();
        double main = curve.points().indexOf(curve.main()) * width;
        svg.rect(Svg.across(main), 0, Svg.across(width), FLOOR, "cur", "id", "cur");
        for (Point suggestion : curve.suggestions()) {
            String x = Svg.across(x(curve.points().indexOf(suggestion)));
            svg.line(x, y(keyShare(suggestion)), x, FLOOR - 4, "drop");
        }
    }

    private CharSequence line(ToDoubleFunction<Point> share) {
        StringBuilder steps = new StringBuilder();
        for (int i = 0; i < curve.points().size(); i++) {
            steps.append(i == 0 ? 'M' : 'L').append(Svg.at(1000 * x(i))).append(' ');
            steps.append(Svg.at(y(share.applyAsDouble(curve.points().get(i)))));
        }
        return steps;
    }

    private void dots(Svg svg, ToDoubleFunction<Point> share, String cssClass) {
        for (int i = 0; i < curve.points().size(); i++) {
            double value = share.applyAsDouble(curve.points().get(i));
            svg.circle(Svg.across(x(i)), y(value), 3.5, cssClass);
        }
    }

    /** The names of the lines, which fall: that of the upper one above it to the right, that of the lower one below it to the left. */
    private void names(Svg svg) {
        int at = curve.points().size() > 5 ? 3 : 0;
        Point point = curve.points().get(at);
        boolean requestsAbove = requestShare(point) >= keyShare(point);
        name(svg, at, this::requestShare, "nr", "requests denied", requestsAbove);
        name(svg, at, this::keyShare, "nc", subject.many() + " denied", !requestsAbove);
    }

    private void name(Svg svg, int at, ToDoubleFunction<Point> share, String cssClass, String name, boolean above) {
        int place = Math.min(at + (above ? 0 : 2), curve.points().size() - 1);
        double y = y(share.applyAsDouble(curve.points().get(place)));
        if (above) {
            svg.text(Svg.across(x(place)), y - 12, cssClass + " start", name);
        } else {
            svg.text(Svg.across(x(place)), Math.min(FLOOR - 6, y + 20), cssClass + " end", name);
        }
    }

    private void numbers(Svg svg) {
        int size = curve.points().size();
        for (int i = 0; i < size; i++) {
            String visible = size > CROWDED && i % 2 != (size - 1) % 2 ? "mid alt" : "mid";
            svg.text(
                    Svg.across(x(i)),
                    FLOOR + 14,
                    visible,
                    brief(curve.points().get(i).permits()));
        }
    }

    /** Returns a number in at most five characters if it is below a billion: {@code 950}, {@code 1.2k}, {@code 35k}, {@code 2M}. */
    private static String brief(long permits) {
        if (permits < 10_000) {
            return String.valueOf(permits);
        }
        long unit = permits < 1_000_000 ? 1_000 : 1_000_000;
        return Svg.at(Math.round(10.0 * permits / unit) / 10.0) + (unit == 1_000 ? "k" : "M");
    }
}
