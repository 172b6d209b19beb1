package dev.weir.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * A text of the jar, with a tag by which clients know it again. It is compressed once, when it is created, and sent compressed to
 * clients that accept gzip. Immutable and thread-safe.
 */
final class StaticText {
    private static final String GZIP = "gzip";
    private static final int NOT_MODIFIED = 304;
    private static final int TAG_CHARACTERS = 16;

    private final Form plain;
    private final Form compressed;

    /** The whole response with one encoding of the text, and the response to clients that have it. */
    private record Form(HttpReply whole, HttpReply notModified) {
        static Form of(String tag, Map<String, String> headers, String type, Buffer body) {
            Map<String, String> tagged = new HashMap<>(headers);
            tagged.put(HttpHeaderNames.ETAG.toString(), '"' + tag + '"');
            tagged.put(HttpHeaderNames.VARY.toString(), HttpHeaderNames.ACCEPT_ENCODING.toString());
            return new Form(
                    new HttpReply(200, Map.copyOf(tagged), type, body),
                    new HttpReply(NOT_MODIFIED, Map.copyOf(tagged), "", ""));
        }

        /** Returns this form with a header of the whole response. */
        Form with(CharSequence name, String value) {
            Map<String, String> headers = new HashMap<>(whole.headers());
            headers.put(name.toString(), value);
            return new Form(
                    new HttpReply(whole.status(), Map.copyOf(headers), whole.type(), whole.body()), notModified);
        }

        /** Tags are compared as RFC 9110 demands of If-None-Match: weakly. */
        HttpReply reply(List<String> known) {
            String tag = whole.headers().get(HttpHeaderNames.ETAG.toString());
            boolean isKnown =
                    known.stream().anyMatch(one -> one.equals("*") || one.equals(tag) || one.equals("W/" + tag));
            return isKnown ? notModified : whole;
        }
    }

    /**
     * Creates a text.
     *
     * @param type its media type
     * @param headers the headers that are sent with it
     */
    StaticText(String text, String type, Map<String, String> headers) {
        String tag = KeyText.sha256(text).substring(0, TAG_CHARACTERS);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        plain = Form.of(tag, headers, type, Buffer.buffer(bytes));
        compressed = Form.of(tag + "-" + GZIP, headers, type, Buffer.buffer(gzip(bytes)))
                .with(HttpHeaderNames.CONTENT_ENCODING, GZIP);
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return compressed.toByteArray();
    }

    /** Returns the response to a call, without the text if the client has it. */
    HttpReply reply(HttpCall call) {
        Form form = call.acceptsEncoding(GZIP) ? compressed : plain;
        return form.reply(call.elements("If-None-Match"));
    }
}
