package dev.weir.server.http;

import dev.weir.server.config.KeyText;
import dev.weir.server.net.ContentCoding;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A text of the jar, in each coding, with a tag by which clients know it again. Immutable and thread-safe. */
final class StaticText {
    private static final int NOT_MODIFIED = 304;
    private static final int TAG_CHARACTERS = 16;
    private static final String WEAK = "W/"; // as a tag must be that stands for several codings

    private final String tag;
    private final Map<ContentCoding, HttpReply> replies = new EnumMap<>(ContentCoding.class);
    private final HttpReply notModified; // without a coding: a cache would note it with the text that it has

    /**
     * Creates a text.
     *
     * @param type its media type
     * @param headers the headers that are sent with it
     */
    StaticText(String text, String type, Map<String, String> headers) {
        tag = '"' + KeyText.sha256(text).substring(0, TAG_CHARACTERS) + '"';
        for (ContentCoding coding : ContentCoding.values()) {
            Map<String, String> all = new HashMap<>(headers);
            all.putAll(coding.headers());
            all.put(HttpHeaderNames.ETAG.toString(), WEAK + tag);
            all.put(HttpHeaderNames.CACHE_CONTROL.toString(), "no-cache"); // a client asks whether it is still the same
            replies.put(coding, new HttpReply(200, Map.copyOf(all), type, coding.encode(text)));
        }
        notModified = new HttpReply(NOT_MODIFIED, in(ContentCoding.IDENTITY).headers(), "", "");
    }

    /**
     * Returns the response to a call, without the text if the client has it. Tags are compared as RFC 9110 demands of If-None-Match:
     * weakly.
     */
    HttpReply reply(HttpCall call) {
        boolean isKnown = call.elements("If-None-Match").stream()
                .anyMatch(one -> one.equals("*") || one.equals(tag) || one.equals(WEAK + tag));
        return isKnown ? notModified : in(call.coding());
    }

    private HttpReply in(ContentCoding coding) {
        return Objects.requireNonNull(replies.get(coding), "all codings are there");
    }
}
