package dev.weir.replay;

import org.jspecify.annotations.Nullable;

/**
 * A line of the common or combined log format, read byte by byte:
 *
 * <pre>host ident user [time] "request" status size ...</pre>
 *
 * What follows the size (referer, agent, a server's own additions) is not looked at. A user may hold spaces, and a
 * request quotes. A virtual host and its port before the host, as in Debian's {@code other_vhosts_access.log}, is passed
 * over.
 */
final class CombinedParser implements LineParser {
    /** What tells the askers apart. */
    enum KeyPart {
        IP,
        USER,
        PATH
    }

    private static final String MALFORMED = "not host ident user [time] \"request\" status size";

    private final KeyPart key;
    private final TimeParser time;

    CombinedParser(KeyPart key, TimeParser time) {
        this.key = key;
        this.time = time;
    }

    @Override
    public @Nullable String parse(byte[] line, int from, int to, Request request) {
        int hostEnd = Bytes.indexOf(line, ' ', from, to);
        int identEnd = Bytes.indexOf(line, ' ', hostEnd + 1, to);
        int userEnd = userEnd(line, identEnd + 1, to);
        int timeEnd = Bytes.indexOf(line, ']', userEnd + 2, to);
        int quote = timeEnd + 2;
        if (hostEnd == from || quote >= to || line[timeEnd + 1] != ' ' || line[quote] != '"') {
            return MALFORMED;
        }
        int requestEnd = requestEnd(line, quote + 1, to);
        if (requestEnd == to) {
            return MALFORMED;
        }
        request.timeNanos = time.parse(line, userEnd + 2, timeEnd);
        request.permits = 1;
        String refusal = TimeParser.refusal(request.timeNanos);
        if (refusal != null) {
            return refusal;
        }
        return switch (key) {
            case IP -> {
                boolean virtual = isVirtualHost(line, from, hostEnd, identEnd + 1, userEnd);
                yield keyed(request, line, virtual ? hostEnd + 1 : from, virtual ? identEnd : hostEnd, "no address");
            }
            case USER -> {
                boolean virtual = isVirtualHost(line, from, hostEnd, identEnd + 1, userEnd);
                int user = virtual ? Bytes.indexOf(line, ' ', identEnd + 1, userEnd) + 1 : identEnd + 1;
                yield keyed(request, line, user, userEnd, "no user");
            }
            case PATH -> path(request, line, quote + 1, requestEnd);
        };
    }

    /** The space before the bracket that opens the time; {@code to} if there is no user before it. */
    private static int userEnd(byte[] line, int from, int to) {
        int bracket = Bytes.indexOf(line, '[', from + 2, to);
        while (bracket < to && line[bracket - 1] != ' ') {
            bracket = Bytes.indexOf(line, '[', bracket + 1, to);
        }
        return bracket < to ? bracket - 1 : to;
    }

    /** The quote that ends the request: the first, not escaped, that a status and a size follow; {@code to} if none does. */
    private static int requestEnd(byte[] line, int from, int to) {
        for (int at = from; at < to; at++) {
            if (line[at] == '\\') {
                at++;
            } else if (line[at] == '"' && hasStatusAndSize(line, at + 1, to)) {
                return at;
            }
        }
        return to;
    }

    private static boolean hasStatusAndSize(byte[] line, int from, int to) {
        int statusEnd = numberEnd(line, from, to);
        int sizeEnd = numberEnd(line, statusEnd, to);
        return statusEnd > from && sizeEnd > statusEnd && (sizeEnd == to || line[sizeEnd] == ' ');
    }

    /** Where a space and a number or dash end; {@code from} if there are none. */
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

    private static boolean isVirtualHost(byte[] line, int from, int hostEnd, int user, int userEnd) {
        int colon = Bytes.indexOf(line, ':', from, hostEnd);
        return colon < hostEnd - 1
                && Digits.end(line, colon + 1, hostEnd) == hostEnd
                && Bytes.indexOf(line, ' ', user, userEnd) < userEnd;
    }

    private static @Nullable String path(Request request, byte[] line, int from, int to) {
        int target = Bytes.indexOf(line, ' ', from, to) + 1;
        int end = to;
        for (int space = to - 1; space >= target; space--) {
            if (line[space] == ' ') {
                end = Bytes.startsWith(line, "HTTP/", space + 1, to) ? space : to;
                break;
            }
        }
        return keyed(
                request, line, Math.min(target, end), Bytes.indexOf(line, '?', Math.min(target, end), end), "no path");
    }

    private static @Nullable String keyed(Request request, byte[] line, int from, int to, String none) {
        if (from == to || (to - from == 1 && line[from] == '-')) {
            return none;
        }
        request.key(line, from, to);
        return null;
    }
}
