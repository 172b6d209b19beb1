package dev.weir.replay.format;

import dev.weir.replay.time.TimeParser;
import dev.weir.replay.trace.SkippedLine;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a line of a log is not a request.
 *
 * @param reason the fault in a few words, for a person
 * @param unreadable whether the line does not fit the format; false if it fits and only has no key
 * @param hint what would make the line readable, such as an option; null if nothing is known to help
 */
record Refusal(String reason, boolean unreadable, @Nullable String hint) {
    /** A line that is not meant to be a request: a blank one, or a header in the middle of a file. It is not counted. */
    static final Refusal IGNORED = new Refusal("blank, or a directive", false, null);

    /** Of csv; the lines of a record may be records of their own then. */
    static final Refusal NOT_A_RECORD = unreadable("not a csv record");

    static final Refusal NO_TIME = unreadable("no time");
    static final Refusal BAD_TIME =
            unreadable("no time that can be read", "--time-format gives its form, such as \"dd.MM.yyyy HH:mm:ss\"");
    static final Refusal TIME_OF_ANOTHER_FORM = unreadable(
            "no time that --time-format reads",
            "the form must be that of the whole time, and the time must exist, once, in its zone");
    static final Refusal TIME_OUT_OF_RANGE = unreadable("time outside the years 1970 to 2261");
    static final Refusal TIME_WITHOUT_YEAR =
            unreadable("a time without a year", "--year N gives the year, since standard input has no date");
    static final Refusal KEY_TOO_LONG = unreadable("key longer than 1 KiB");
    static final Refusal KEY_NOT_TEXT =
            unreadable("a key that is not UTF-8", "convert the log first, such as with iconv -f ISO-8859-1 -t UTF-8");
    static final Refusal BAD_PERMITS = unreadable("permits is not a whole number of at least 1");

    static Refusal unreadable(String reason) {
        return new Refusal(reason, true, null);
    }

    static Refusal unreadable(String reason, String hint) {
        return new Refusal(reason, true, hint);
    }

    /** Returns the same refusal with a hint. */
    Refusal withHint(@Nullable String text) {
        return new Refusal(reason, unreadable, text);
    }

    /** Returns the current line as one that is skipped for this reason. */
    SkippedLine skipped(LineReader lines) {
        return new SkippedLine(lines.number(), reason, Excerpt.of(lines.bytes(), lines.start(), lines.end()));
    }

    static Refusal noKey(String what) {
        return new Refusal("no " + what, false, null);
    }

    /** Returns why a result of a {@link TimeParser} is not a time; null if it is one. */
    static @Nullable Refusal ofTime(long result) {
        if (result >= 0) {
            return null;
        } else if (result == TimeParser.OUT_OF_RANGE) {
            return TIME_OUT_OF_RANGE;
        }
        if (result == TimeParser.NOT_OF_THE_FORM) {
            return TIME_OF_ANOTHER_FORM;
        }
        return result == TimeParser.YEAR_UNKNOWN ? TIME_WITHOUT_YEAR : BAD_TIME;
    }
}
