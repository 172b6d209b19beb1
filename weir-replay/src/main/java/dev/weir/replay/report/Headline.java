package dev.weir.replay.report;

import dev.weir.Limit;
import dev.weir.replay.ReplayResult;
import dev.weir.replay.analysis.Analysis;
import dev.weir.replay.analysis.Curve.Point;
import dev.weir.replay.analysis.Traffic;
import java.util.Arrays;
import java.util.List;

/** The sentences at the beginning: what the first limit does, and which one to choose. */
final class Headline {
    private final Analysis analysis;
    private final Subject subject;
    private final Traffic traffic;
    private final ReplayResult lead;
    private final Limit limit;
    private final Point suggestion;

    Headline(Analysis analysis, Subject subject) {
        this.analysis = analysis;
        this.subject = subject;
        this.traffic = analysis.traffic();
        this.lead = analysis.lead();
        this.limit = lead.limit();
        this.suggestion = analysis.curve().main();
    }

    /** Returns a limit in words if all limits of the sentence are of one kind, otherwise its text. */
    private String name(Limit named) {
        return limit.equals(Limit.slidingLog(limit.permits(), limit.window()))
                ? Words.number(named.permits()) + " per " + Words.per(named.windowNanos())
                : named.toString();
    }

    /** Returns the answer, with a limit to choose. */
    String sentence() {
        String at = "At " + name(limit);
        if (lead.denied() == 0) {
            return at + ", no request would have been denied. " + choice();
        }
        return at + ", " + Words.percent(lead.denied(), traffic.requests()) + " of requests and "
                + Words.percent(lead.deniedKeys(), traffic.keys()) + " of "
                + subject.many() + " would have been denied. " + choice();
    }

    private String choice() {
        String never = suggestion.deniedKeys() == 0
                ? "nobody is ever denied."
                : subject.neverDenied(suggestion, traffic.keys()) + " are never denied.";
        String suggested = name(suggestion.log());
        return suggestion.permits() < limit.permits()
                ? suggested + " would be enough: " + never
                : "Choose " + suggested + ", and " + never;
    }

    /** Returns the size of the log, who has most of the denials, and what the suggestion would deny. */
    Markup lead() {
        Markup size = bold(Words.number(traffic.requests()))
                .then(traffic.requests() == 1 ? " request by " : " requests by ")
                .then(bold(Words.number(traffic.keys())))
                .then(" " + (traffic.keys() == 1 ? subject.one() : subject.kind()) + ", ")
                .then(Times.span(traffic.firstNanos(), traffic.lastNanos()))
                .then(".");
        return size.then(concentration()).then(suggested());
    }

    private static Markup bold(String text) {
        return Markup.text(text).in("b", "");
    }

    private Markup concentration() {
        long[] denied = analysis.denials().descending();
        if (denied.length == 0) {
            return Markup.EMPTY;
        }
        Markup at = Markup.text(" At ").then(Words.limit(limit)).then(" ");
        if (denied.length <= 2) {
            String who = denied.length == 1 ? "one " + subject.one() + " has " : "two " + subject.many() + " have ";
            String all =
                    lead.denied() == 1 ? "the only denial." : "all of the " + Words.number(lead.denied()) + " denials.";
            return at.then(who + all);
        }
        int heavy = heavy(denied);
        if (heavy == 0) {
            return at.then(even(denied));
        }
        long sum = Arrays.stream(denied).limit(heavy).sum();
        String most = (heavy == 1 ? "one " + subject.one() + " has " : "two " + subject.many() + " have ")
                + Words.percent(sum, lead.denied()) + " of the " + Words.number(lead.denied()) + " denials";
        long[] others = Arrays.copyOfRange(denied, heavy, denied.length);
        String rest = others.length < 4
                ? "."
                : "; half of the other " + Words.number(others.length) + " denied " + subject.many() + " have "
                        + Words.number(others[others.length / 2]) + " or fewer.";
        return at.then(most + rest);
    }

    /** Returns how many of the first two have more than twice the denials of half of the others. */
    private static int heavy(long[] denied) {
        long usual = denied[2 + (denied.length - 2) / 2];
        return (int) Arrays.stream(denied)
                .limit(2)
                .filter(count -> count > 2 * usual)
                .count();
    }

    /** Returns the denials of keys of which none has many more than the others. */
    private String even(long[] denied) {
        long least = denied[denied.length - 1];
        String keys = Words.number(denied.length) + " denied " + subject.many();
        return least == denied[0]
                ? "each of the " + keys + " has " + Words.count(least, "denial.", "denials.")
                : "no " + subject.one() + " stands out: the " + keys + " have from " + Words.number(least) + " to "
                        + Words.number(denied[0]) + " denials each.";
    }

    private Markup suggested() {
        if (suggestion.log().equals(limit) || lead.denied() == 0) {
            return Markup.EMPTY;
        }
        Markup at = Markup.text(" At ").then(Words.limit(suggestion.log()));
        if (suggestion.deniedKeys() == 0) {
            return at.then(", nothing is denied.");
        }
        return at.then(", " + Words.percent(suggestion.deniedRequests(), traffic.requests()) + " of requests and "
                + subject.count(suggestion.deniedKeys()) + (suggestion.deniedKeys() == 1 ? " is" : " are")
                + " denied.");
    }

    /** Returns the sentence in lines of at most that many characters. */
    List<String> lines(int width) {
        StringBuilder lines = new StringBuilder();
        int used = 0;
        for (String word : sentence().split(" ", -1)) {
            boolean fits = used + 1 + word.length() <= width;
            lines.append(used == 0 ? "" : fits ? " " : "\n").append(word);
            used = fits ? used + 1 + word.length() : word.length();
        }
        return lines.toString().lines().toList();
    }
}
