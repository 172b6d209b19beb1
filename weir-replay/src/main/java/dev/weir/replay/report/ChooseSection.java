package dev.weir.replay.report;

import dev.weir.replay.ReplayResult.DeniedKey;
import dev.weir.replay.analysis.Analysis;
import dev.weir.replay.analysis.Curve;
import dev.weir.replay.analysis.Curve.Point;
import java.util.stream.IntStream;

/** Which number: the curve, a step for each of its points, and the suggestions. */
final class ChooseSection {
    private final Analysis analysis;
    private final Curve curve;
    private final long requests;
    private final int keys;
    private final Subject subject;
    private final int chosen;

    ChooseSection(Analysis analysis, Subject subject) {
        this.analysis = analysis;
        this.curve = analysis.curve();
        this.requests = analysis.traffic().requests();
        this.keys = analysis.traffic().keys();
        this.subject = subject;
        this.chosen = curve.points().indexOf(curve.main());
    }

    Markup markup() {
        String window = Words.duration(curve.windowNanos());
        long first = curve.points().get(0).permits();
        long last = curve.points().get(curve.points().size() - 1).permits();
        String label =
                "Share of requests and of " + subject.many() + " denied, for each limit from " + Words.number(first)
                        + " to " + Words.number(last) + " per " + Words.per(curve.windowNanos())
                        + "; the table below has the numbers";
        return Template.named("choose.html")
                .set("window", window)
                .set("per", Words.per(curve.windowNanos()))
                .set("spell", Words.spell(curve.windowNanos()))
                .set("tick", analysis.hasTimesInsideTicks() ? tick() : "")
                .set("one", subject.one())
                .set("many", subject.many())
                .set("curve", new CurvePlot(analysis, subject).image(label))
                .set("last", String.valueOf(curve.points().size() - 1))
                .set("chosen", String.valueOf(chosen))
                .set(
                        "steps",
                        Markup.join(IntStream.range(0, curve.points().size()).mapToObj(this::step)))
                .set("suggestions", Markup.join(curve.suggestions().stream().map(this::suggestion)))
                .set("fewer", fewer())
                .set("rows", Markup.join(curve.points().stream().map(this::row)))
                .fill();
    }

    private String tick() {
        return " and up to a tick of " + Words.duration(curve.tickNanos());
    }

    private String fewer() {
        return keys >= 100 ? "" : "With " + subject.count(keys) + ", 99" + Words.NBSP + "% would be all of them.";
    }

    private Markup step(int index) {
        Point point = curve.points().get(index);
        return Template.named("step.html")
                .set("hidden", index == chosen ? "" : "hidden")
                .set("value", value(point))
                .set("rate", Words.rate(point.log()))
                .set("requests", Words.number(point.deniedRequests()))
                .set("noun", point.deniedRequests() == 1 ? "request" : "requests")
                .set("requestshare", Words.percent(point.deniedRequests(), requests))
                .set("denied", Words.number(point.deniedKeys()))
                .set("of", subject.count(keys))
                .set("share", Words.percent(point.deniedKeys(), keys))
                .set("who", who(point))
                .fill();
    }

    private String value(Point point) {
        return Words.number(point.permits()) + " per " + Words.per(curve.windowNanos()) + ": "
                + Words.percent(point.deniedRequests(), requests) + " of requests, " + subject.count(point.deniedKeys())
                + " denied";
    }

    private Markup who(Point point) {
        if (point.deniedKeys() == 0) {
            return Markup.text("No " + subject.one() + " in this log requests more.");
        }
        Markup who = Markup.text("Most denied: ");
        String separator = "";
        for (DeniedKey key : point.mostDenied()) {
            who = who.then(separator).then(Markup.key(key.key())).then(Words.NBSP + Words.number(key.denied()));
            separator = ", ";
        }
        int more = point.deniedKeys() - point.mostDenied().size();
        return more == 0 ? who : who.then(", and " + Words.number(more) + " more");
    }

    private Markup suggestion(Point point) {
        int index = curve.points().indexOf(point);
        return Template.named("suggestion.html")
                .set("index", String.valueOf(index))
                .set("pressed", String.valueOf(index == chosen))
                .set("title", title(point, keys, subject))
                .set("rate", Words.rate(point.log()))
                .set("requests", Words.count(point.deniedRequests(), "request", "requests"))
                .set("requestshare", Words.percent(point.deniedRequests(), requests))
                .set("denied", subject.count(point.deniedKeys()))
                .fill();
    }

    /** Returns what a suggestion is for. */
    static String title(Point suggestion, int keys, Subject subject) {
        return suggestion.deniedKeys() == 0 ? "Nobody denied" : subject.neverDenied(suggestion, keys) + " never denied";
    }

    private Markup row(Point point) {
        return Template.named("point.html")
                .set("rate", Words.rate(point.log()))
                .set("requests", Words.number(point.deniedRequests()))
                .set("requestshare", Words.percent(point.deniedRequests(), requests))
                .set("denied", Words.number(point.deniedKeys()))
                .set("share", Words.percent(point.deniedKeys(), keys))
                .fill();
    }
}
