package dev.weir.cli.terminal;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Arrays;
import java.util.Locale;

/** Pure functions on text that is meant for people: how wide it is, how to cut it, how to write numbers and times. */
public final class Text {
    private static final DecimalFormatSymbols SYMBOLS = DecimalFormatSymbols.getInstance(Locale.ROOT);

    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    /* The blocks that terminals draw two columns wide. */
    private static final int[][] WIDE = {
        {0x1100, 0x115f}, // Hangul's first letters
        {0x2e80, 0x303e}, // radicals and punctuation
        {0x3041, 0xa4cf}, // kana, Han, Yi
        {0xac00, 0xd7a3}, // Hangul's syllables
        {0xf900, 0xfaff}, // Han, compatible forms
        {0xfe30, 0xfe6f}, // punctuation, compatible and small
        {0xff00, 0xff60}, // full width forms
        {0xffe0, 0xffe6}, // full width signs
        {0x1f300, 0x1f64f}, // pictures and faces
        {0x1f680, 0x1f6ff}, // traffic
        {0x1f900, 0x1f9ff}, // more pictures
        {0x20000, 0x3fffd}, // Han, extended
    };

    private Text() {}

    /** A whole number with a comma between each three digits. */
    public static String number(long value) {
        return new DecimalFormat("#,##0", SYMBOLS).format(value);
    }

    /**
     * A share as a percentage with one decimal. Only nothing is {@code 0.0%} and only all is {@code 100.0%}.
     *
     * @param whole at least 1 and at least {@code part}
     */
    public static String percent(long part, long whole) {
        double share = 100.0 * part / whole;
        if (part > 0 && share < 0.1) {
            return "<0.1%";
        } else if (part < whole && share > 99.9) {
            return ">99.9%";
        }
        return new DecimalFormat("0.0", SYMBOLS).format(share) + "%";
    }

    /** A time in the two units that matter: {@code 7 ms}, {@code 1.25 s}, {@code 3 m 20 s}, {@code 2 h 5 m}, {@code 4 d 1 h}. */
    public static String millis(long millis) {
        long seconds = millis / 1000;
        if (millis < 1000) {
            return millis + " ms";
        } else if (seconds < 60) {
            return new DecimalFormat("0.##", SYMBOLS).format(millis / 1000.0) + " s";
        } else if (seconds < 3600) {
            return seconds / 60 + " m " + seconds % 60 + " s";
        } else if (seconds < 86_400) {
            return seconds / 3600 + " h " + seconds % 3600 / 60 + " m";
        }
        return number(seconds / 86_400) + " d " + seconds % 86_400 / 3600 + " h";
    }

    /** An instant in UTC with milliseconds. */
    public static String time(Instant instant) {
        return TIME.format(instant);
    }

    /** The lines of a stack trace. */
    public static String trace(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    /** The same number and noun, with an s unless it is one. */
    public static String count(long value, String noun) {
        return number(value) + " " + noun + (value == 1 ? "" : "s");
    }

    /** The columns that text takes on a terminal. */
    public static int width(String text) {
        return text.codePoints().map(Text::width).sum();
    }

    /** The text if it is at most {@code width} wide, else its beginning and an ellipsis, together at most that wide. */
    public static String clip(String text, int width, String ellipsis) {
        if (width(text) <= width) {
            return text;
        }
        int room = width - width(ellipsis);
        int end = 0;
        while (end < text.length() && (room -= width(text.codePointAt(end))) >= 0) {
            end = text.offsetByCodePoints(end, 1);
        }
        return text.substring(0, end) + ellipsis;
    }

    /**
     * The text with every character that could move the cursor, change colours or turn the writing direction spelled out,
     * so that what a log or an argument holds can be printed safely and on one line.
     */
    public static String visible(String text) {
        if (text.codePoints().allMatch(Text::isVisible)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (isVisible(c)) {
                out.appendCodePoint(c);
            } else {
                out.append(c < 256 ? String.format(Locale.ROOT, "\\x%02x", c) : String.format("\\u%04x", c));
            }
        });
        return out.toString();
    }

    private static boolean isVisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    private static int width(int c) {
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT) {
            return 0;
        }
        return Arrays.stream(WIDE).anyMatch(block -> block[0] <= c && c <= block[1]) ? 2 : 1;
    }
}
