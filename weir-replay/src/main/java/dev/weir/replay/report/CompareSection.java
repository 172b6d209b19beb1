package dev.weir.replay.report;

import dev.weir.Limit;
import dev.weir.replay.Comparison;
import dev.weir.replay.Recording.Difference;
import dev.weir.replay.analysis.Analysis;

/** The requests on which two limits differ. */
final class CompareSection {
    private static final long SECOND = 1_000_000_000;

    private final Analysis analysis;
    private final Subject subject;

    CompareSection(Analysis analysis, Subject subject) {
        this.analysis = analysis;
        this.subject = subject;
    }

    /** Returns the section; empty unless there are two limits. */
    Markup markup() {
        Comparison comparison = analysis.comparison();
        if (comparison == null) {
            return Markup.EMPTY;
        }
        return Template.named(comparison.count() == 0 ? "same.html" : "compare.html")
                .set("first", Words.limit(limit(0)))
                .set("second", Words.limit(limit(1)))
                .set("requests", Words.count(comparison.count(), "request", "requests"))
                .set("keys", subject.count(comparison.keys()))
                .set("onlyfirst", Words.number(comparison.onlyFirst()))
                .set("onlysecond", Words.number(comparison.onlySecond()))
                .set("which", which(comparison))
                .set("one", subject.one())
                .set("rows", Markup.join(comparison.earliest().stream().map(this::row)))
                .fill();
    }

    private static String which(Comparison comparison) {
        int shown = comparison.earliest().size();
        return shown == comparison.count()
                ? ""
                : " These are the first " + shown + "; --compare --json lists all of them.";
    }

    private Limit limit(int index) {
        return analysis.results().get(index).limit();
    }

    private Markup row(Difference difference) {
        boolean seconds = analysis.traffic().unitNanos() % SECOND == 0;
        return Template.named("difference.html")
                .set("time", Times.write(difference.timeNanos(), seconds ? "d MMM HH:mm:ss" : "d MMM HH:mm:ss.SSS"))
                .set("key", Markup.key(difference.key()))
                .set("limit", Words.limit(limit(difference.allowedBy())))
                .fill();
    }
}
