package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parser that reads lines as another parser does and, if a line does not fit, reads through what logging systems add: a
 * {@link KnownPrefix}, an envelope of JSON ({@link Envelope}), quotes around the whole line, colours, tabs instead of spaces.
 *
 * <p>The other parser decides whether the rest of a line is a request, so unknown text is never skipped.
 */
final class PrefixedParser implements LineParser {
    private static final int MAX_PREFIXES = 8;
    private static final int MAX_PREFIX = 1 << 10; // 1 KiB
    private static final Pattern COLOUR = Pattern.compile("\\x1b\\[[0-9;]{0,16}m");

    private final LineParser inner;
    private List<Matcher> prefixes = List.of(); // created for the first line that does not fit

    PrefixedParser(LineParser inner) {
        this.inner = inner;
    }

    @Override
    public @Nullable Refusal parse(byte[] line, int from, int to, Request request) throws LogException {
        return parse(line, from, to, request, true);
    }

    private @Nullable Refusal parse(byte[] line, int from, int to, Request request, boolean mayRewrite)
            throws LogException {
        Refusal refusal = inner.parse(line, from, to, request);
        int start = from;
        for (int i = 0; i < MAX_PREFIXES && !isFinal(refusal, line, start, to); i++) {
            int end = prefixEnd(line, start, to);
            if (end == start) {
                break;
            }
            start = end;
            refusal = better(refusal, inner.parse(line, start, to, request));
        }
        if (!mayRewrite || isFinal(refusal, line, start, to)) {
            return refusal;
        }
        byte[] rewritten = rewritten(line, start, to, start > from && line[start - 1] == '"');
        return rewritten == null ? refusal : better(refusal, parse(rewritten, 0, rewritten.length, request, false));
    }

    /** Returns whether no other reading of the line can be better. A JSON object without a key can be an envelope. */
    private static boolean isFinal(@Nullable Refusal refusal, byte[] line, int from, int to) {
        boolean object = from < to && line[from] == '{';
        return refusal == null || !(refusal.unreadable() || object);
    }

    /** Returns the end of the first known prefix at {@code from}; {@code from} if there is none. */
    private int prefixEnd(byte[] line, int from, int to) {
        if (prefixes.isEmpty()) {
            prefixes = KnownPrefix.ALL.stream()
                    .map(prefix -> prefix.pattern().matcher(""))
                    .toList();
        }
        String text = new String(line, from, Math.min(to - from, MAX_PREFIX), StandardCharsets.ISO_8859_1);
        for (Matcher matcher : prefixes) {
            if (matcher.reset(text).lookingAt()) {
                return from + matcher.end();
            }
        }
        return from;
    }

    /** Returns the later result if it says more than that the rest of the line is unreadable. */
    private static @Nullable Refusal better(@Nullable Refusal earlier, @Nullable Refusal later) {
        return later == null || !later.unreadable() || later.hint() != null ? later : earlier;
    }

    /** Returns the line that was written before it was coloured or put into an envelope or quotes; null if nothing shows that it was. */
    private static byte @Nullable [] rewritten(byte[] line, int from, int to, boolean quoted) {
        boolean object = from < to && line[from] == '{';
        byte[] message = object ? Envelope.message(line, from, to) : null;
        if (message != null) {
            return message;
        }
        String text = new String(line, from, to - from, StandardCharsets.ISO_8859_1);
        String written = quoted
                ? text.replaceFirst("\"$", "").replace("\\\"", "\"").replace("\\\\", "\\")
                : COLOUR.matcher(text).replaceAll("").replace('\t', ' ');
        return written.equals(text) ? null : written.getBytes(StandardCharsets.ISO_8859_1);
    }
}
