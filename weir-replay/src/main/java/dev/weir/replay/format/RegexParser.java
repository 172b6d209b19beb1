package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parser for lines in which a pattern finds the groups {@code time}, {@code key} and perhaps {@code permits}. The steps of
 * one match are bounded, since a pattern can backtrack without an end in practice.
 */
final class RegexParser implements LineParser {
    private static final int MAX_STEPS = 2_000_000;
    private static final int MAX_HARD_LINES = 100;
    private static final Refusal TOO_HARD = Refusal.unreadable("the pattern tries too many ways to match this line");
    private static final Refusal TOO_DEEP = Refusal.unreadable(
            "a repeated group takes too much stack on this line",
            "a possessive repetition, such as (?:...)*+, takes none");
    private static final Refusal NO_MATCH = Refusal.unreadable("the pattern does not match");

    private final Matcher matcher;
    private final Fields fields;
    private final boolean weighted;
    private int hardLines;

    RegexParser(Pattern pattern, Fields fields) {
        this.matcher = pattern.matcher("");
        this.fields = fields;
        this.weighted = LogFormat.hasGroup(pattern, Fields.PERMITS);
    }

    @Override
    public @Nullable Refusal parse(byte[] line, int from, int to, Request request) throws LogException {
        String text = new String(line, from, to - from, StandardCharsets.UTF_8);
        try {
            if (!matcher.reset(new Stepped(text, MAX_STEPS)).find()) {
                return NO_MATCH;
            }
            hardLines = Math.max(0, hardLines - 1);
        } catch (StackOverflowError e) {
            return TOO_DEEP;
        } catch (Stepped.Exhausted e) {
            if (++hardLines == MAX_HARD_LINES) {
                throw new LogException("the pattern tries too many ways to match, on " + MAX_HARD_LINES
                        + " lines more than it matches: give it fewer repetitions that overlap, such as .*.*");
            }
            return TOO_HARD;
        }
        return fields.fill(request, name -> name.equals(Fields.PERMITS) && !weighted ? null : matcher.group(name));
    }

    /** A text that a regular expression can read only a limited number of times. */
    static final class Stepped implements CharSequence {
        /** The looks are used up. */
        static final class Exhausted extends RuntimeException {
            private static final long serialVersionUID = 1L;

            Exhausted() {
                super("too many steps", null, false, false);
            }
        }

        private final String text;
        private int steps;

        Stepped(String text, int steps) {
            this.text = text;
            this.steps = steps;
        }

        @Override
        public char charAt(int index) {
            if (--steps < 0) {
                throw new Exhausted();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
