package dev.weir.replay.format;

import org.jspecify.annotations.Nullable;

/** Turns the text of a field into the key of a request, as a {@link Kind} says. */
final class KeyReader {
    /** How the text of the key's field is understood. */
    enum Kind {
        /** As it is, except that a list of addresses needs a choice; with a choice, an address is a list of one, a hyphen of none. */
        TEXT,
        /** As {@link #TEXT}, in a log that writes a hyphen where a field has no value. */
        TEXT_OR_HYPHEN,
        /** An address or a host name. */
        CLIENT,
        /** An address that always has a port. */
        CLIENT_WITH_PORT,
        /** A user name, where a hyphen is none. */
        USER,
        /** A path or a URL, of which the path without its query is the key. */
        URL,
        /** A method, a URL and a protocol. */
        REQUEST_LINE
    }

    private final Kind kind;
    private final ClientReader client;
    private final Refusal none;

    KeyReader(Kind kind, Refusal none, @Nullable ClientChoice choice) {
        this.kind = kind;
        this.client = ClientReader.ofField(choice);
        this.none = none;
    }

    /** Sets the key of {@code request}; returns null if there is one, otherwise why not. */
    @Nullable
    Refusal read(@Nullable String text, Request request) {
        if (text == null || text.isEmpty()) {
            return none;
        }
        return switch (kind) {
            case TEXT -> text(text, request);
            case TEXT_OR_HYPHEN -> text.equals("-") ? none : text(text, request);
            case CLIENT -> {
                byte[] bytes = Request.bytes(plainList(text.strip()));
                yield client.read(bytes, 0, bytes.length, request);
            }
            case CLIENT_WITH_PORT -> {
                byte[] bytes = Request.bytes(text);
                yield client.readWithPort(bytes, 0, bytes.length, request);
            }
            case USER -> keyed(text, request);
            case URL -> keyed(path(text), request);
            case REQUEST_LINE -> keyed(path(url(text)), request);
        };
    }

    private @Nullable Refusal text(String text, Request request) {
        String plain = plainList(text.strip());
        byte[] forwarded = Request.bytes(plain);
        if (client.isForwarded(forwarded, 0, forwarded.length)) {
            return client.read(forwarded, 0, forwarded.length, request);
        }
        byte[] bytes = plain.equals(text) ? forwarded : Request.bytes(text);
        request.key(bytes, 0, bytes.length);
        return null;
    }

    /** Returns a list without the spaces behind its commas, which W3C logs write as a plus sign or with a percent sign. */
    private static String plainList(String text) {
        return text.indexOf(',') < 0 ? text : text.replace(",+", ",").replace(",%20", ",");
    }

    private @Nullable Refusal keyed(String text, Request request) {
        if (text.isEmpty() || text.equals("-")) {
            return none;
        }
        byte[] bytes = Request.bytes(text);
        request.key(bytes, 0, bytes.length);
        return null;
    }

    /** Returns what is between the method and the protocol; empty if the text has no method. */
    private static String url(String requestLine) {
        int from = requestLine.indexOf(' ') + 1;
        int to = requestLine.lastIndexOf(' ');
        if (from == 0 || requestLine.startsWith("- ")) {
            return "";
        }
        return to >= from && requestLine.startsWith("HTTP/", to + 1)
                ? requestLine.substring(from, to)
                : requestLine.substring(from);
    }

    /** Returns a URL without its scheme, its authority and its query. */
    private static String path(String url) {
        int scheme = url.indexOf("://");
        boolean absolute = scheme > 0 && url.indexOf('/') == scheme + 1;
        int from = absolute ? url.indexOf('/', scheme + 3) : 0;
        if (from < 0) {
            return "";
        }
        int query = url.indexOf('?', from);
        return url.substring(from, query < 0 ? url.length() : query);
    }
}
