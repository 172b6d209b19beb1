package dev.weir.replay.report;

import dev.weir.Limit;
import dev.weir.replay.Recording;
import dev.weir.replay.ReplayResult;
import dev.weir.replay.analysis.Analysis;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A report on a replay: what its limits would have done to the requests, and which limit to choose. Immutable.
 *
 * <p>Every figure is exact. The first limit that can deny anything is the one that the report is about; the others are compared with
 * it. If there are two limits, it lists the first requests on which they differ. Text from the log is shown as text: nothing in a key
 * can become markup or change the direction of writing.
 *
 * <p>Memory while it is made: a few numbers and the requests of the current window for each key, and the recording. The report itself
 * does not grow with the log. Thread-safe once made.
 */
public final class Report {
    private static final int MOST_LIMITS = 64;

    private final Analysis analysis;
    private final Source source;
    private final Subject subject;
    private final long skipped;

    private Report(Analysis analysis, Source source, long skipped) {
        this.analysis = analysis;
        this.source = source;
        this.subject = Subject.of(source.key());
        this.skipped = skipped;
    }

    /**
     * Where the requests come from.
     *
     * @param file the name of the log
     * @param key what the keys are, as in {@link dev.weir.replay.format.LogOptions#key}: {@code ip}, {@code user}, {@code path} or
     *     the name of a field
     * @param command the command that makes the report again
     */
    public record Source(String file, String key, String command) {}

    /**
     * Analyses a replay. Reads the trace about twenty times.
     *
     * @param trace the requests
     * @param recording the decisions on them
     * @param source where they come from
     * @param progress is notified of the percentage done
     * @return the report
     * @throws IOException if the temporary file of the trace cannot be read
     * @throws IllegalArgumentException if there is no request, no limit that can deny anything, or more than 64 limits
     * @throws IllegalStateException if the trace is closed
     */
    public static Report of(Trace trace, Recording recording, Source source, LongConsumer progress) throws IOException {
        requireLimits(recording.results().stream().map(ReplayResult::limit).toList());
        return new Report(Analysis.of(trace, recording, progress), source, trace.skipped());
    }

    /**
     * Refuses limits that no report can show, which can be done before a replay.
     *
     * @param limits the limits
     * @throws IllegalArgumentException if none of them can deny anything, or if there are more than 64
     */
    public static void requireLimits(List<Limit> limits) {
        if (limits.size() > MOST_LIMITS) {
            throw new IllegalArgumentException(
                    "a report shows at most " + MOST_LIMITS + " limits, was " + limits.size());
        }
        Analysis.first(limits);
    }

    /**
     * Returns the report as a page: one HTML document that needs no other file and no network, below 3 MB for any log.
     *
     * @return the document, to be stored in UTF-8
     */
    public String html() {
        Headline headline = new Headline(analysis, subject);
        int steps = analysis.curve().points().size();
        Markup style = new Markup(StyleSheet.themed("marks.css", "page.css").source() + ":root{--steps:" + steps + "}");
        Markup script = new Markup(Template.resource("page.js"));
        return Template.named("page.html")
                .set("stylehash", hash(style))
                .set("scripthash", hash(script))
                .set("style", style)
                .set("script", script)
                .set("title", source.file())
                .set("file", Markup.key(source.file()))
                .set("sentence", headline.sentence())
                .set("lead", headline.lead())
                .set("choose", new ChooseSection(analysis, subject).markup())
                .set("time", new TimeSection(analysis, subject).markup())
                .set("worst", new WorstSection(analysis, subject).markup())
                .set("who", new WhoSection(analysis, subject).markup())
                .set("compare", new CompareSection(analysis, subject).markup())
                .set("caveats", new Caveats(analysis, subject, skipped).items())
                .set("command", source.command())
                .fill()
                .source();
    }

    /**
     * Returns the report as one picture, 960 pixels wide: the answer, the curve, and the first six limits over time. It names no key.
     *
     * @return an SVG document that needs no other file, to be stored in UTF-8
     */
    public String svg() {
        return new Picture(analysis, subject).svg().source();
    }

    /**
     * Returns the picture of {@link #svg()} in the light theme, 1,920 pixels wide.
     *
     * @return a PNG image
     * @throws UnsupportedOperationException if the JDK finds no font to draw text with
     */
    public byte[] png() {
        return new Picture(analysis, subject).png();
    }

    /** Returns the hash by which the page's policy admits its own style and script, and nothing else. */
    private static String hash(Markup content) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(content.source().getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
