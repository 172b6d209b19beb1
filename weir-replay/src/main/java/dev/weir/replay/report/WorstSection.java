package dev.weir.replay.report;

import dev.weir.Accounting;
import dev.weir.Limit;
import dev.weir.replay.ReplayResult;
import dev.weir.replay.analysis.Analysis;
import dev.weir.replay.analysis.Scene;

/** The worst window of each algorithm, drawn request by request. */
final class WorstSection {
    private final Analysis analysis;
    private final Subject subject;
    private final ScenePlot plot;

    WorstSection(Analysis analysis, Subject subject) {
        this.analysis = analysis;
        this.subject = subject;
        this.plot = new ScenePlot(analysis.scenes());
    }

    /** Returns the section; empty if there is nothing to draw. */
    Markup markup() {
        if (analysis.scenes().isEmpty()) {
            return Markup.EMPTY;
        }
        return Template.named("worst.html")
                .set("one", subject.one())
                .set("window", window())
                .set("queues", queues())
                .set("unit", plot.drawsSquares() ? "One square is one request" : "The bars count requests")
                .set("legend", plot.drawsSquares() ? "lh" : "ld")
                .set("scenes", Markup.join(analysis.scenes().stream().map(this::scene)))
                .fill();
    }

    private String window() {
        long first = analysis.scenes().get(0).limit().windowNanos();
        return analysis.scenes().stream().allMatch(scene -> scene.limit().windowNanos() == first)
                ? Words.per(first)
                : "window of the limit";
    }

    private String queues() {
        boolean any = analysis.results().stream().anyMatch(result -> result.delays() != null);
        return any ? " A leaky bucket is not drawn: its requests count when they leave it, not when they arrive." : "";
    }

    private Markup scene(Scene scene) {
        ReplayResult result = analysis.results().get(scene.limitIndex());
        Limit limit = scene.limit();
        String figure = Words.number(result.worstWindow()) + " of " + Words.number(limit.permits());
        String space = result.holds() ? " " : " " + Words.NBSP;
        return Template.named("scene.html")
                .set("limit", Words.limit(limit))
                .set("state", result.holds() ? "ok" : "no")
                .set("verdict", figure + space + result.verdict())
                .set("image", plot.image(scene))
                .set("caption", caption(scene))
                .set("key", Markup.key(scene.key()))
                .set("moment", Times.moment(scene.endNanos(), limit.windowNanos()))
                .fill();
    }

    private String caption(Scene scene) {
        Accounting accounting = scene.limit().accounting();
        String permits = Words.number(scene.limit().permits());
        return switch (accounting.method()) {
            case LOG -> compared(scene);
            case LOG_OF_ATTEMPTS -> "Denied requests count too.";
            case BUCKETS -> "Each bucket counts until its end has expired.";
            case CLASSIC_BUCKETS -> "Each bucket expires with its start.";
            case CLOCK_WINDOWS -> boundary(scene);
            case FIRST_WINDOWS -> "A window starts at the first request that no window covers.";
            case TOKENS, SPACING ->
                "A full burst, and what is refilled meanwhile: at most " + permits + " + "
                        + Words.number(accounting.burst()) + " − 1 = "
                        + Words.number(scene.limit().permits() + accounting.burst() - 1) + ".";
            default -> "";
        };
    }

    private String compared(Scene log) {
        boolean shared = analysis.scenes().stream()
                .anyMatch(other -> other.limit().accounting().method() == Accounting.Method.CLOCK_WINDOWS
                        && other.endNanos() == log.endNanos()
                        && other.key().equals(log.key()));
        return shared
                ? "The same " + subject.one() + " at the same moment as the fixed window."
                : "Never more than " + Words.number(log.limit().permits()) + " in any "
                        + Words.per(log.limit().windowNanos()) + ".";
    }

    private static String boundary(Scene scene) {
        return scene.hasBoundary()
                ? "The window contains a boundary (dotted): " + Words.number(scene.permitsBeforeBoundary())
                        + " before, " + Words.number(scene.permits() - scene.permitsBeforeBoundary()) + " after."
                : "Its own windows begin at the dotted lines.";
    }
}
