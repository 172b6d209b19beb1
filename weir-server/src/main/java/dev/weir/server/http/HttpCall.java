package dev.weir.server.http;

import com.google.common.base.Splitter;
import dev.weir.server.config.Texts;
import dev.weir.server.net.ContentCoding;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.buffer.Buffer;
import java.net.URLDecoder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * An HTTP request whose body has been read.
 *
 * @param http10 whether it is of HTTP/1.0, in which nginx before 1.29.7 forwards requests by default
 * @param path the path, as it was sent, but that bytes which are not ASCII are escaped
 * @param query the query, likewise; empty if there is none
 * @param headers returns all values of a header
 * @param peer the address of the connection's other end
 */
record HttpCall(
        boolean http10,
        String method,
        String path,
        String query,
        Function<String, List<String>> headers,
        String peer,
        Buffer body) {

    private static final int MAX_PARAMETERS = 100;
    private static final Splitter ELEMENTS = Splitter.on(',').trimResults().omitEmptyStrings();
    private static final Pattern NOT_ASCII = Pattern.compile("[\\x80-\\xFF]");

    /** Returns a path or a query with each byte that is not ASCII escaped. The server reads a byte as the character of its number. */
    static String escaped(String sent) {
        return NOT_ASCII
                .matcher(sent)
                .replaceAll(one -> "%%%02X".formatted((int) one.group().charAt(0)));
    }

    /** Returns the same request with the method GET. */
    HttpCall asGet() {
        return new HttpCall(http10, "GET", path, query, headers, peer, body);
    }

    /**
     * Returns the body as text.
     *
     * @throws HttpProblem if it is not UTF-8
     */
    String text() {
        return utf8(body.getBytes(), "the body");
    }

    /** Returns the only value of a header; empty if there is none or more than one. */
    Optional<String> header(String name) {
        List<String> values = headers.apply(name);
        return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
    }

    /** Returns the elements of a header that is a list; empty if there is none. */
    List<String> elements(String name) {
        return ELEMENTS.splitToList(String.join(",", headers.apply(name)));
    }

    /** Returns how a large text is sent to the client. */
    ContentCoding coding() {
        return ContentCoding.of(elements(HttpHeaderNames.ACCEPT_ENCODING.toString()));
    }

    /**
     * Returns the parameters of the query, which only {@code &} separates.
     *
     * @param known the names that are accepted
     * @throws HttpProblem if there is another one, if it cannot be decoded, or if it is not UTF-8
     */
    Parameters parameters(List<String> known) {
        try {
            Map<String, List<String>> values = new HashMap<>();
            new QueryStringDecoder(query, StandardCharsets.ISO_8859_1, false, MAX_PARAMETERS, true)
                    .parameters()
                    .forEach((name, given) -> values.put(
                            utf8(name, "the query"),
                            given.stream()
                                    .map(value -> utf8(value, "the query"))
                                    .toList()));
            return new Parameters(values, known);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("the query cannot be decoded");
        }
    }

    /** Returns a segment of the path with its escapes decoded. */
    static String decoded(String segment) {
        try {
            return utf8(URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.ISO_8859_1), "the path");
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("the path cannot be decoded");
        }
    }

    /** Returns the text of bytes that were read as the characters of their numbers. */
    private static String utf8(String bytes, String what) {
        return utf8(bytes.getBytes(StandardCharsets.ISO_8859_1), what);
    }

    private static String utf8(byte[] bytes, String what) {
        try {
            return Texts.decode(bytes);
        } catch (CharacterCodingException malformed) {
            throw HttpProblem.badRequest(what + " must be UTF-8");
        }
    }

    /** The parameters of a query. */
    static final class Parameters {
        private final Map<String, List<String>> values;

        Parameters(Map<String, List<String>> values, List<String> known) {
            this.values = values;
            for (String name : values.keySet()) {
                if (!known.contains(name)) {
                    throw HttpProblem.badRequest(
                            "unknown parameter '" + name + "'; known are " + String.join(", ", known));
                }
            }
        }

        /** Returns the value of a parameter that may be given once. */
        Optional<String> one(String name) {
            List<String> given = all(name);
            if (given.size() > 1) {
                throw HttpProblem.badRequest("parameter '" + name + "' is given " + given.size() + " times");
            }
            return given.stream().findFirst();
        }

        List<String> all(String name) {
            return values.getOrDefault(name, List.of());
        }

        /** Returns the number of permits, which is 1 if none is given. */
        long permits() {
            String permits = one("permits").orElse("1");
            try {
                return Long.parseLong(permits);
            } catch (NumberFormatException e) {
                throw HttpProblem.badRequest("permits must be a whole number, at least 1, was '" + permits + "'");
            }
        }
    }
}
