package dev.weir.replay;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;

/** Finds where a {@link KnownPrefix} at the beginning of a line ends. Not thread-safe. */
final class PrefixReader {
    private static final int MAX_PREFIX = 1 << 10; // 1 KiB

    private final List<Matcher> matchers =
            KnownPrefix.ALL.stream().map(prefix -> prefix.pattern().matcher("")).toList();

    /** Returns the end of the first known prefix at {@code from}; {@code from} if there is none. */
    int end(byte[] line, int from, int to) {
        Latin1 text = new Latin1(line, from, Math.min(to, from + MAX_PREFIX));
        for (Matcher matcher : matchers) {
            if (matcher.reset(text).lookingAt()) {
                return from + matcher.end();
            }
        }
        return from;
    }

    /** Bytes as characters of ISO 8859-1, without a copy. */
    private static final class Latin1 implements CharSequence {
        private final byte[] bytes;
        private final int from;
        private final int to;

        Latin1(byte[] bytes, int from, int to) {
            this.bytes = bytes;
            this.from = from;
            this.to = to;
        }

        @Override
        public int length() {
            return to - from;
        }

        @Override
        public char charAt(int index) {
            return (char) (bytes[from + index] & 0xff);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Latin1(bytes, from + start, from + end);
        }

        @Override
        public String toString() {
            return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        }
    }
}
