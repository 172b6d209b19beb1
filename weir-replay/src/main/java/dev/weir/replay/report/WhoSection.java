package dev.weir.replay.report;

import dev.weir.replay.ReplayResult;
import dev.weir.replay.analysis.Analysis;
import dev.weir.replay.analysis.Client;
import dev.weir.replay.analysis.Timeline;
import java.util.List;
import java.util.stream.IntStream;

/** Who is denied: the keys that the first limit denies most, each with its timeline. */
final class WhoSection {
    private static final int COLUMNS = 5; // limits
    private static final double UP = 16;

    private final Analysis analysis;
    private final Subject subject;
    private final List<String> limits;

    WhoSection(Analysis analysis, Subject subject) {
        this.analysis = analysis;
        this.subject = subject;
        this.limits = Words.brief(analysis.results().stream()
                .limit(COLUMNS)
                .map(ReplayResult::limit)
                .toList());
    }

    Markup markup() {
        if (analysis.clients().isEmpty()) {
            return nobody();
        }
        return Template.named("who.html")
                .set("one", subject.one())
                .set("intro", intro())
                .set("bucket", Words.spell(analysis.axis().bucketNanos()))
                .set("stretch", Words.per(analysis.stretchNanos()))
                .set("window", Words.duration(analysis.curve().windowNanos()))
                .set("heads", heads())
                .set("rows", Markup.join(analysis.clients().stream().map(this::row)))
                .fill();
    }

    private Markup nobody() {
        long most = analysis.demand().most();
        return Template.named("nobody.html")
                .set("limit", Words.limit(analysis.lead().limit()))
                .set("one", subject.one())
                .set("most", Words.number(most))
                .set("spell", Words.spell(analysis.curve().windowNanos()))
                .fill();
    }

    private Markup intro() {
        int shown = analysis.clients().size();
        int denied = analysis.lead().deniedKeys();
        String scale = ". Allowed above the line, denied below. Each picture has its own scale; the figures compare.";
        String which = denied == shown
                ? "Every " + subject.one() + " that is denied at "
                : "The " + shown + " " + subject.many() + " with most denials at ";
        Markup intro =
                Markup.text(which).then(Words.limit(analysis.lead().limit())).then(scale);
        if (denied == shown) {
            return intro.then(cut());
        }
        long rest = analysis.lead().denied()
                - analysis.clients().stream()
                        .mapToLong(client -> client.denied(analysis.first()))
                        .sum();
        return intro.then(" " + Words.number(denied - shown) + " more "
                + (denied - shown == 1 ? subject.one() + " has " : subject.many() + " have ")
                + Words.number(rest)
                + " denials" + (denied - shown == 1 ? "." : " together.") + cut());
    }

    /** Says which limits have no column. */
    private String cut() {
        int all = analysis.results().size();
        return all <= COLUMNS ? "" : " Of the " + all + " limits, only the first " + COLUMNS + " are shown here.";
    }

    private Markup heads() {
        return Markup.join(IntStream.range(0, limits.size())
                .mapToObj(i -> new Markup((i == 0 ? "<th class=\"num\">denied<br>" : "<th class=\"num\"><br>")
                        + Markup.text(limits.get(i)).source() + "</th>")));
    }

    private Markup row(Client client) {
        return Template.named("client.html")
                .set("key", Markup.key(client.key()))
                .set("whole", picture(client.whole()))
                .set("busiest", picture(client.busiest()))
                .set("stretch", Words.per(analysis.stretchNanos()))
                .set("requests", Words.number(client.requests()))
                .set("demand", Words.number(client.demand()))
                .set("window", Words.duration(analysis.curve().windowNanos()))
                .set("denied", Markup.join(IntStream.range(0, limits.size()).mapToObj(i -> denied(client, i))))
                .fill();
    }

    private Markup denied(Client client, int limit) {
        long denied = client.denied(limit);
        String label = Markup.text("denied, " + limits.get(limit)).source();
        return new Markup("<td role=\"cell\" class=\"num " + (denied == 0 ? "z" : "den") + "\" data-l=\"" + label
                + "\">" + Words.number(denied) + "</td>");
    }

    private static Markup picture(Timeline timeline) {
        long most = Math.max(1, Math.max(timeline.mostAllowed(), timeline.mostDenied()));
        return new BarPlot(UP, UP, most).bars(timeline);
    }
}
