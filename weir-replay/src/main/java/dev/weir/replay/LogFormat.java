package dev.weir.replay;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * How a log is written: {@code combined} (which reads the common format too), {@code csv} with a header, {@code jsonl},
 * a regular expression with the groups {@code time} and {@code key} (and {@code permits}), or {@code auto} to find out.
 */
public final class LogFormat {
    /** Told by the log's first lines. */
    public static final LogFormat AUTO = new LogFormat(Kind.AUTO, null);
    /** The combined or the common log format of Apache, nginx and others. */
    public static final LogFormat COMBINED = new LogFormat(Kind.COMBINED, null);
    /** Comma-separated values with a header that names a column {@code time}. */
    public static final LogFormat CSV = new LogFormat(Kind.CSV, null);
    /** One JSON object a line, with a field {@code time}. */
    public static final LogFormat JSONL = new LogFormat(Kind.JSONL, null);

    private static final String ACCEPTED = "auto, combined, csv, jsonl or regex:PATTERN";
    private static final String REGEX = "regex:";

    enum Kind {
        AUTO,
        COMBINED,
        CSV,
        JSONL,
        REGEX
    }

    private final Kind kind;
    private final @Nullable Pattern pattern;

    private LogFormat(Kind kind, @Nullable Pattern pattern) {
        this.kind = kind;
        this.pattern = pattern;
    }

    /**
     * Reads a format as it is written on the command line.
     *
     * @throws IllegalArgumentException if it is none; the message says what is accepted
     */
    public static LogFormat parse(String text) {
        if (text.startsWith(REGEX)) {
            return regex(text.substring(REGEX.length()));
        }
        return switch (text) {
            case "auto" -> AUTO;
            case "combined" -> COMBINED;
            case "csv" -> CSV;
            case "jsonl" -> JSONL;
            default -> throw new IllegalArgumentException("format must be " + ACCEPTED + ", was '" + text + "'");
        };
    }

    /** Whether this is a pattern of the user's, whose groups name time and key. */
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
        return new LogFormat(Kind.REGEX, pattern);
    }

    /** Whether a pattern names a group: the empty alternative put in front always matches, so the group can be asked for. */
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

    /** The pattern of a regex format; null for all others. */
    @Nullable
    Pattern pattern() {
        return pattern;
    }

    /** The format without its pattern. */
    String name() {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** The format as {@link #parse} reads it. */
    @Override
    public String toString() {
        return pattern == null ? name() : REGEX + pattern;
    }
}
