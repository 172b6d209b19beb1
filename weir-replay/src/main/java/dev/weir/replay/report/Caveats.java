package dev.weir.replay.report;

import dev.weir.replay.analysis.Analysis;
import dev.weir.replay.analysis.Traffic;
import java.util.ArrayList;
import java.util.List;

/** What limits the figures: first what the log shows, then what holds for every replay. */
final class Caveats {
    private static final double EMPTY = 0.05; // minutes with requests, as a share of those that even traffic would have

    private final Analysis analysis;
    private final Traffic traffic;
    private final Subject subject;
    private final long skipped;

    Caveats(Analysis analysis, Subject subject, long skipped) {
        this.analysis = analysis;
        this.traffic = analysis.traffic();
        this.subject = subject;
        this.skipped = skipped;
    }

    Markup items() {
        List<Markup> items = new ArrayList<>();
        if (hasGaps()) {
            items.add(item("The log has gaps.", gaps()));
        }
        if (traffic.unitNanos() == 1_000_000_000) {
            items.add(item("Times are whole seconds.", "Requests of one second are taken in the order of the file."));
        }
        if (analysis.hasTimesInsideTicks()) {
            String tick = Words.duration(analysis.curve().tickNanos());
            items.add(item(
                    "Times are finer than ticks.",
                    "A sliding log records a request at the end of its tick of " + tick
                            + ". Peaks and suggestions count it for up to a tick longer."));
        }
        if (skipped > 0) {
            items.add(item(
                    "Some lines are missing.",
                    Words.count(skipped, "line was", "lines were") + " skipped: no " + subject.one()
                            + ", or not readable."));
        }
        items.add(item(
                "The traffic is fixed.",
                "A denied client would have retried, slowed down or gone; the replay sends its next request all the"
                        + " same."));
        if (subject.isAddress()) {
            items.add(item(
                    "A client is an address.", "People behind one proxy share it, and one person may have several."));
        }
        items.add(item("No estimate.", "Every request was replayed against every limit; there is no sampling."));
        return Markup.join(items.stream());
    }

    private static Markup item(String title, String text) {
        return Markup.text(title).in("b", "").then(" " + text).in("li", "");
    }

    /** Returns whether far fewer minutes have requests than if the requests were spread at random. */
    private boolean hasGaps() {
        double minutes = traffic.minutes();
        double expected = minutes * -Math.expm1(-traffic.requests() / minutes);
        return traffic.minutesWithRequests() < EMPTY * expected;
    }

    private String gaps() {
        String minutes = "Requests fall in " + Words.number(traffic.minutesWithRequests()) + " of "
                + Words.number(traffic.minutes()) + " minutes";
        return traffic.isInOneMinuteOfEachHour()
                ? minutes + ", one minute of each hour. A window of more than one minute would see only part of what"
                        + " happened."
                : minutes + ". A long window would see only part of what happened.";
    }
}
