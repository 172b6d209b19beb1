package dev.weir.replay.report;

import dev.weir.replay.ReplayResult;
import dev.weir.replay.analysis.Analysis;
import dev.weir.replay.analysis.Curve;
import dev.weir.replay.analysis.Curve.Point;
import dev.weir.replay.analysis.Traffic;
import java.util.List;

/** The report as one picture: the sentence, the curve with the suggestions, and the first limits over time. */
final class Picture {
    private static final int WIDTH = 960;
    private static final int MARGIN = 24;
    private static final int LINE = 70; // characters of the sentence, which fit in wide fonts, too
    private static final int CURVE_X = 78;
    private static final int CURVE_WIDTH = 560;
    private static final int CARDS_X = 676;
    private static final int CARD = 82; // height, with the space below
    private static final int BARS_X = 296;
    private static final int NAME = 24; // of a limit
    private static final int ROW = 104;
    private static final int MOST_ROWS = 6;

    private final Analysis analysis;
    private final Subject subject;
    private final Svg svg = new Svg();
    private double y = 46;

    Picture(Analysis analysis, Subject subject) {
        this.analysis = analysis;
        this.subject = subject;
    }

    /** Returns the picture as a document that follows the reader's theme. */
    Markup svg() {
        return document(StyleSheet.themed("marks.css", "picture.css"));
    }

    byte[] png() {
        return PngImage.of(document(StyleSheet.light("marks.css", "picture.css")));
    }

    private Markup document(Markup style) {
        Headline headline = new Headline(analysis, subject);
        for (String line : headline.lines(LINE)) {
            text(MARGIN, 0, "h", line);
            y += 30;
        }
        text(MARGIN, -4, "s", size());
        y += 26;
        curve();
        rows();
        place(BARS_X, y, WIDTH - BARS_X - MARGIN, 20, TimeLabels.of(analysis.axis()));
        y += 20 + MARGIN;
        return Template.named("picture.svg")
                .set("width", String.valueOf(WIDTH))
                .set("height", Svg.at(y))
                .set("innerwidth", String.valueOf(WIDTH - 1))
                .set("innerheight", Svg.at(y - 1))
                .set("title", headline.sentence())
                .set("style", style)
                .set("content", svg.markup())
                .fill();
    }

    private String size() {
        Traffic traffic = analysis.traffic();
        return Words.count(traffic.requests(), "request", "requests") + " by " + Words.number(traffic.keys()) + " "
                + (traffic.keys() == 1 ? subject.one() : subject.kind()) + ", "
                + Times.span(traffic.firstNanos(), traffic.lastNanos());
    }

    private void text(double x, double down, String cssClass, String content) {
        svg.text(Svg.at(x), y + down, cssClass, content);
    }

    /** Puts an image at a place. */
    private void place(double x, double top, double width, double height, Markup image) {
        svg.add(new Markup("<svg x=\"" + Svg.at(x) + "\" y=\"" + Svg.at(top) + "\" width=\"" + Svg.at(width)
                + "\" height=\"" + Svg.at(height) + "\">" + image.source() + "</svg>"));
    }

    private void curve() {
        Curve curve = analysis.curve();
        place(CURVE_X, y, CURVE_WIDTH, CurvePlot.HEIGHT, new CurvePlot(analysis, subject).image(""));
        double top = y;
        for (Point suggestion : curve.suggestions()) {
            card(suggestion, suggestion.equals(curve.main()), top);
            top += CARD;
        }
        y += CurvePlot.HEIGHT + 24;
    }

    private void card(Point suggestion, boolean main, double top) {
        String left = String.valueOf(CARDS_X);
        String width = String.valueOf(WIDTH - MARGIN - CARDS_X);
        svg.rect(left, top, width, CARD - 10, main ? "main" : "card", "rx", "8");
        String x = String.valueOf(CARDS_X + 12);
        svg.text(
                x,
                top + 20,
                "s",
                ChooseSection.title(suggestion, analysis.traffic().keys(), subject));
        svg.text(x, top + 41, "b", Words.rate(suggestion.log()));
        String requests = Words.count(suggestion.deniedRequests(), "request", "requests");
        svg.text(x, top + 61, "f", requests + " denied · " + subject.count(suggestion.deniedKeys()));
    }

    private void rows() {
        TimeSection time = new TimeSection(analysis, subject);
        List<ReplayResult> results = analysis.results();
        for (int i = 0; i < Math.min(MOST_ROWS, results.size()); i++) {
            ReplayResult result = results.get(i);
            text(MARGIN, 14, "b", result.limit().toString()); // above the bars, which a long one would run into
            y += NAME;
            String share = Words.percent(result.denied(), analysis.traffic().requests());
            text(MARGIN, 16, "f", Words.number(result.denied()) + " denied, " + share);
            text(MARGIN, 36, "f", worst(result));
            place(
                    BARS_X,
                    y,
                    WIDTH - BARS_X - MARGIN,
                    TimeSection.HEIGHT,
                    time.bars(analysis.timelines().get(i)));
            y += ROW;
        }
    }

    private static String worst(ReplayResult result) {
        return result.hasWindow()
                ? "worst window " + Words.number(result.worstWindow()) + " of "
                        + Words.number(result.limit().permits()) + ", " + result.verdict()
                : "";
    }
}
