package dev.weir.replay.format;

import dev.weir.replay.time.Digits;
import dev.weir.replay.time.TimeParser;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A parser for lines of the common or combined log format, byte by byte:
 *
 * <pre>host ident user [time] "request" status size ...</pre>
 *
 * <p>The text behind the size (referer, agent, additions of a server) is not read. A user may contain spaces, and a request
 * quotes. The usual line, in which the ident is a hyphen and the user has no spaces, takes a short path; {@link CombinedHead}
 * reads all others.
 */
final class CombinedParser implements LineParser {
    /** The part of a line that is the key. */
    enum KeyPart {
        IP,
        USER,
        PATH;

        /** Returns the part that a key names; null if it names none. */
        static @Nullable KeyPart of(String text) {
            return switch (text) {
                case "ip" -> IP;
                case "user" -> USER;
                case "path" -> PATH;
                default -> null;
            };
        }
    }

    static final Refusal MALFORMED = Refusal.unreadable("not host ident user [time] \"request\" status size");

    private static final Refusal NO_USER = Refusal.noKey("user");
    private static final Refusal NO_PATH = Refusal.noKey("path");
    private static final int MAX_TIME = 64; // bytes in brackets

    private final KeyPart key;
    private final TimeParser time;
    private final ClientReader client;
    private final CombinedHead head;
    private final KeyReader path = new KeyReader(KeyReader.Kind.REQUEST_LINE, NO_PATH, null);

    CombinedParser(KeyPart key, TimeParser time, @Nullable ClientChoice choice) {
        this.key = key;
        this.time = time;
        this.client = new ClientReader(choice);
        this.head = new CombinedHead(client);
    }

    @Override
    public @Nullable Refusal parse(byte[] line, int from, int to, Request request) {
        int hostEnd = Bytes.near(line, ' ', from, to);
        int bracket = usualBracket(line, from, hostEnd, to);
        int timeEnd = Bytes.indexOf(line, ']', bracket + 1, to);
        if (!isQuoteAfter(line, timeEnd, to)) {
            return parseUnusual(line, from, to, request);
        }
        request.timeNanos = time.parse(line, bracket + 1, timeEnd);
        Refusal refusal = Refusal.ofTime(request.timeNanos);
        return refusal != null ? refusal : finish(line, from, hostEnd, hostEnd + 3, bracket - 1, timeEnd, to, request);
    }

    /**
     * Returns the bracket before the time of a line with a hyphen as ident and a user without spaces; {@code to} if the line has
     * another shape. The client is checked here only if it is not the key, since otherwise it is read later.
     */
    private int usualBracket(byte[] line, int from, int hostEnd, int to) {
        boolean noIdent = hostEnd + 3 < to && line[hostEnd + 1] == '-' && line[hostEnd + 2] == ' ';
        if (!noIdent || !(key == KeyPart.IP || client.canBeClient(line, from, hostEnd))) {
            return to;
        }
        int userEnd = Bytes.near(line, ' ', hostEnd + 3, to);
        boolean usual = userEnd > hostEnd + 3 && userEnd + 1 < to && line[userEnd + 1] == '[';
        boolean hyphen = line[hostEnd + 3] == '-';
        return usual && (hyphen || !client.startsWithAddress(line, hostEnd + 3, userEnd)) ? userEnd + 1 : to;
    }

    private static boolean isQuoteAfter(byte[] line, int timeEnd, int to) {
        return timeEnd + 2 < to && line[timeEnd + 1] == ' ' && line[timeEnd + 2] == '"';
    }

    private @Nullable Refusal parseUnusual(byte[] line, int from, int to, Request request) {
        Refusal refusal = MALFORMED;
        for (int bracket = nextBracket(line, from, to); bracket < to; bracket = nextBracket(line, bracket + 1, to)) {
            int timeEnd = Bytes.indexOf(line, ']', bracket + 1, Math.min(to, bracket + MAX_TIME));
            if (isQuoteAfter(line, timeEnd, to) && line[timeEnd] == ']') {
                request.timeNanos = time.parse(line, bracket + 1, timeEnd);
                refusal = Refusal.ofTime(request.timeNanos);
                if (refusal == null) {
                    return head.read(line, from, bracket - 1)
                            ? finish(
                                    line,
                                    head.clientFrom(),
                                    head.clientTo(),
                                    head.userFrom(),
                                    bracket - 1,
                                    timeEnd,
                                    to,
                                    request)
                            : headless(line, from, bracket, timeEnd, to);
                }
            }
        }
        return refusal;
    }

    /** Returns the next opening bracket behind a space; {@code to} if there is none. */
    private static int nextBracket(byte[] line, int from, int to) {
        int bracket = Bytes.indexOf(line, '[', from + 1, to);
        while (bracket < to && line[bracket - 1] != ' ') {
            bracket = Bytes.indexOf(line, '[', bracket + 1, to);
        }
        return bracket;
    }

    private static Refusal headless(byte[] line, int from, int bracket, int timeEnd, int to) {
        boolean tooShort = CombinedHead.tokens(line, from, bracket - 1) < 3;
        return tooShort || requestEnd(line, timeEnd + 3, to) == to ? MALFORMED : ClientReader.NO_CLIENT;
    }

    private @Nullable Refusal finish(
            byte[] line, int clientFrom, int clientTo, int user, int userEnd, int timeEnd, int to, Request request) {
        int requestFrom = timeEnd + 3;
        int requestEnd = requestEnd(line, requestFrom, to);
        if (requestEnd == to) {
            return MALFORMED;
        }
        request.permits = 1;
        return switch (key) {
            case IP -> client.read(line, clientFrom, clientTo, request);
            case USER -> readUser(line, user, userEnd, request);
            case PATH ->
                path.read(new String(line, requestFrom, requestEnd - requestFrom, StandardCharsets.UTF_8), request);
        };
    }

    /** Returns the quote that ends the request: the first, not escaped, before a status and a size; {@code to} if none is. */
    private static int requestEnd(byte[] line, int from, int to) {
        int quote = Bytes.indexOf(line, '"', from, to);
        while (quote < to && (isEscaped(line, from, quote) || !hasStatusAndSize(line, quote + 1, to))) {
            quote = Bytes.indexOf(line, '"', quote + 1, to);
        }
        return quote;
    }

    /** Returns whether an odd number of backslashes is directly before a character. */
    private static boolean isEscaped(byte[] line, int from, int at) {
        int start = at;
        while (start > from && line[start - 1] == '\\') {
            start--;
        }
        return ((at - start) & 1) != 0;
    }

    private static boolean hasStatusAndSize(byte[] line, int from, int to) {
        int statusEnd = numberEnd(line, from, to);
        int sizeEnd = numberEnd(line, statusEnd, to);
        return statusEnd > from && sizeEnd > statusEnd && (sizeEnd == to || line[sizeEnd] == ' ');
    }

    /** Returns where a space and a number or hyphen end; {@code from} if there are none. */
    private static int numberEnd(byte[] line, int from, int to) {
        if (from + 1 >= to || line[from] != ' ') {
            return from;
        }
        if (line[from + 1] == '-') {
            return from + 2;
        }
        int end = Digits.end(line, from + 1, to);
        return end == from + 1 ? from : end;
    }

    private static @Nullable Refusal readUser(byte[] line, int from, int to, Request request) {
        int length = to - from;
        boolean isHyphen = length == 1 && line[from] == '-';
        boolean isQuoted = length == 2 && line[from] == '"' && line[from + 1] == '"'; // as Apache writes an empty name
        if (length == 0 || isHyphen || isQuoted) {
            return NO_USER;
        }
        request.key(line, from, to);
        return null;
    }
}
