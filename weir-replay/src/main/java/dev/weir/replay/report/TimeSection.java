package dev.weir.replay.report;

import dev.weir.replay.ReplayResult;
import dev.weir.replay.ReplayResult.Delays;
import dev.weir.replay.analysis.Analysis;
import dev.weir.replay.analysis.Timeline;
import java.util.stream.IntStream;

/** What each limit would have done: allowed and denied requests over time, on one axis and one scale. */
final class TimeSection {
    private static final double UP = 54;
    private static final double DOWN = 33;
    static final double HEIGHT = UP + 1 + DOWN;

    private final Analysis analysis;
    private final Subject subject;
    private final BarPlot plot;

    TimeSection(Analysis analysis, Subject subject) {
        this.analysis = analysis;
        this.subject = subject;
        this.plot = new BarPlot(UP, DOWN, tallest(analysis));
    }

    private static long tallest(Analysis analysis) {
        long tallest = analysis.timelines().stream()
                .mapToLong(Timeline::mostAllowed)
                .max()
                .orElse(0);
        return Math.max(1, tallest);
    }

    Markup markup() {
        return Template.named("time.html")
                .set("bucket", Words.spell(analysis.axis().bucketNanos()))
                .set("tallest", Words.number(tallest(analysis)))
                .set("rows", rows())
                .set("labels", TimeLabels.of(analysis.axis()))
                .fill();
    }

    private Markup rows() {
        return traffic()
                .then(Markup.join(IntStream.range(0, analysis.results().size()).mapToObj(this::row)));
    }

    private Markup traffic() {
        long requests = analysis.traffic().requests();
        int keys = analysis.traffic().keys();
        Timeline all = analysis.timelines().get(0).withoutDenials();
        Markup bars = new Svg().add(plot.bars(all)).add(plot.notesAbove(all)).image(plot.up() + 1, "");
        return Template.named("traffic.html")
                .set("requests", Words.number(requests))
                .set("noun", requests == 1 ? "request" : "requests")
                .set("keys", Words.number(keys))
                .set("keynoun", keys == 1 ? subject.one() : subject.many())
                .set("bars", bars)
                .fill();
    }

    private Markup row(int index) {
        ReplayResult result = analysis.results().get(index);
        int keys = result.deniedKeys();
        return Template.named("candidate.html")
                .set("limit", Words.limit(result.limit()))
                .set("denied", Words.number(result.denied()))
                .set("share", Words.percent(result.denied(), analysis.traffic().requests()))
                .set("allowed", Words.number(result.allowed()))
                .set("keys", Words.number(keys))
                .set("noun", keys == 1 ? subject.one() : subject.many())
                .set("keyshare", Words.percent(keys, analysis.traffic().keys()))
                .set("worst", worst(result))
                .set("delays", delays(result))
                .set("bars", bars(analysis.timelines().get(index)))
                .fill();
    }

    /** Returns the bars of a timeline with the numbers of those that are cut. */
    Markup bars(Timeline timeline) {
        return new Svg().add(plot.bars(timeline)).add(plot.notesBelow(timeline)).image(plot.height(), "");
    }

    private static Markup delays(ReplayResult result) {
        Delays delays = result.delays();
        if (delays == null) {
            return Markup.EMPTY;
        }
        String most = delays.delayed() == 0 ? "" : ", up to " + Words.duration(delays.maxWaitMillis() * 1_000_000);
        return Markup.text(Words.number(delays.delayed()))
                .in("b", "")
                .then(" delayed" + most)
                .in("span", "ww");
    }

    /** Returns the worst window against the limit; nothing of a limit without a window. */
    static Markup worst(ReplayResult result) {
        if (!result.hasWindow()) {
            return Markup.EMPTY;
        }
        Markup of = Markup.text("worst window ")
                .then(Markup.text(Words.number(result.worstWindow())).in("b", ""))
                .then(" of " + Words.number(result.limit().permits()) + " ");
        Markup verdict = Markup.text(result.verdict());
        return of.then(result.holds() ? verdict.in("span", "okk") : verdict.in("b", "den"));
    }
}
