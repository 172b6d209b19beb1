package dev.weir.replay.format;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The format of a log: {@code combined} (which includes the common format), {@code csv} with a header, {@code jsonl}, the log
 * format of a product such as {@code caddy}, a regular expression with the groups {@code time} and {@code key} and optionally
 * {@code permits}, or {@code auto} to detect the format. Immutable.
 */
public final class LogFormat {
    /** The format is detected from the log's first lines. */
    public static final LogFormat AUTO = new LogFormat(Kind.AUTO, null, null);
    /** The combined or the common log format of Apache, nginx and other servers. */
    public static final LogFormat COMBINED = new LogFormat(Kind.COMBINED, null, null);
    /** Comma-separated values with a header that names the columns. */
    public static final LogFormat CSV = new LogFormat(Kind.CSV, null, null);
    /** One JSON object per line. */
    public static final LogFormat JSONL = new LogFormat(Kind.JSONL, null, null);

    private static final List<LogFormat> NAMED = Stream.concat(
                    Stream.of(AUTO, COMBINED, CSV, JSONL), Preset.ALL.stream().map(LogFormat::of))
            .toList();
    private static final String REGEX = "regex:";

    enum Kind {
        AUTO,
        COMBINED,
        CSV,
        JSONL,
        PRESET,
        REGEX
    }

    private final Kind kind;
    private final @Nullable Preset preset;
    private final @Nullable Pattern pattern;

    private LogFormat(Kind kind, @Nullable Preset preset, @Nullable Pattern pattern) {
        this.kind = kind;
        this.preset = preset;
        this.pattern = pattern;
    }

    /**
     * Parses a format in the syntax of the command line.
     *
     * @param text one of {@link #names}, or {@code regex:} followed by a {@link Pattern}
     * @return the format
     * @throws IllegalArgumentException if the text is not a format, or the pattern is invalid or lacks a group; the message says
     *     what is accepted
     */
    public static LogFormat parse(String text) {
        if (text.startsWith(REGEX)) {
            return regex(text.substring(REGEX.length()));
        }
        for (LogFormat format : NAMED) {
            if (format.name().equals(text)) {
                return format;
            }
        }
        throw new IllegalArgumentException(
                "format must be " + String.join(", ", names()) + " or regex:PATTERN, was '" + text + "'");
    }

    /** {@return the names of all formats except regular expressions} */
    public static List<String> names() {
        return NAMED.stream().map(LogFormat::name).toList();
    }

    static LogFormat of(Preset preset) {
        return new LogFormat(Kind.PRESET, preset, null);
    }

    /** {@return whether the format is a regular expression, which names the time and the key by its groups} */
    public boolean isRegex() {
        return kind == Kind.REGEX;
    }

    private static LogFormat regex(String text) {
        Pattern pattern;
        try {
            pattern = Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "format regex: " + e.getDescription() + (e.getIndex() < 0 ? "" : " at position " + e.getIndex())
                            + " of '" + text + "'",
                    e);
        }
        for (String group : new String[] {"time", "key"}) {
            if (!hasGroup(pattern, group)) {
                throw new IllegalArgumentException(
                        "format regex: needs the groups (?<time>...) and (?<key>...), has no '" + group + "' in '"
                                + text + "'");
            }
        }
        return new LogFormat(Kind.REGEX, null, pattern);
    }

    /** Returns whether a pattern names a group. The empty alternative in front always matches, so the group can be queried. */
    static boolean hasGroup(Pattern pattern, String group) {
        var matcher = Pattern.compile("|" + pattern.pattern()).matcher("");
        try {
            return matcher.lookingAt() && matcher.start(group) < 0;
        } catch (IllegalArgumentException absent) {
            return false;
        }
    }

    Kind kind() {
        return kind;
    }

    /** Returns the product that writes this format; null for other formats. */
    @Nullable
    Preset preset() {
        return preset;
    }

    /** Returns the pattern of a regular expression; null for other formats. */
    @Nullable
    Pattern pattern() {
        return pattern;
    }

    /** Returns the format's name, without the pattern. */
    String name() {
        return preset != null ? preset.text() : kind.name().toLowerCase(Locale.ROOT);
    }

    /** {@return the format in the syntax of {@link #parse}} */
    @Override
    public String toString() {
        return pattern == null ? name() : REGEX + pattern;
    }
}
