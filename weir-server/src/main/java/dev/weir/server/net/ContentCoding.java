package dev.weir.server.net;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** How a large text is sent. Small ones, such as decisions, are never compressed. */
public enum ContentCoding {
    /** As it is. */
    IDENTITY,
    /** Compressed by gzip. */
    GZIP;

    /**
     * Returns the coding for a client.
     *
     * @param accepted the elements of its header Accept-Encoding; gzip with a parameter, such as a quality, is not used
     */
    public static ContentCoding of(List<String> accepted) {
        return accepted.contains(HttpHeaderValues.GZIP.toString()) ? GZIP : IDENTITY;
    }

    /** Returns the bytes of a text in this coding. */
    public Buffer encode(String text) {
        if (this == IDENTITY) {
            return Buffer.buffer(text);
        }
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("memory takes all bytes", e);
        }
        return Buffer.buffer(compressed.toByteArray());
    }

    /** Returns the headers of a response that has this coding and could have the other one. */
    public Map<String, String> headers() {
        String varies = HttpHeaderNames.VARY.toString();
        String accepted = HttpHeaderNames.ACCEPT_ENCODING.toString();
        return this == IDENTITY
                ? Map.of(varies, accepted)
                : Map.of(
                        varies,
                        accepted,
                        HttpHeaderNames.CONTENT_ENCODING.toString(),
                        HttpHeaderValues.GZIP.toString());
    }
}
