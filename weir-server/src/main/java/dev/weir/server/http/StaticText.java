package dev.weir.server.http;

import dev.weir.server.config.KeyText;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.HashMap;
import java.util.Map;

/** A text of the jar, with a tag by which clients know it again. Immutable and thread-safe. */
final class StaticText {
    private static final int NOT_MODIFIED = 304;
    private static final int TAG_CHARACTERS = 16;

    private final String tag;
    private final HttpReply whole;
    private final HttpReply notModified;

    /**
     * Creates a text.
     *
     * @param type its media type
     * @param headers the headers that are sent with it
     */
    StaticText(String text, String type, Map<String, String> headers) {
        tag = '"' + KeyText.sha256(text).substring(0, TAG_CHARACTERS) + '"';
        Map<String, String> tagged = new HashMap<>(headers);
        tagged.put(HttpHeaderNames.ETAG.toString(), tag);
        whole = new HttpReply(200, Map.copyOf(tagged), type, text);
        notModified = new HttpReply(NOT_MODIFIED, whole.headers(), "", "");
    }

    /**
     * Returns the response to a call, without the text if the client has it. Tags are compared as RFC 9110 demands of If-None-Match:
     * weakly.
     */
    HttpReply reply(HttpCall call) {
        boolean isKnown = call.elements("If-None-Match").stream()
                .anyMatch(one -> one.equals("*") || one.equals(tag) || one.equals("W/" + tag));
        return isKnown ? notModified : whole;
    }
}
