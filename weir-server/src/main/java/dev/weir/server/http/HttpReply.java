package dev.weir.server.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/**
 * A response.
 *
 * @param headers the headers, without those of the body
 * @param type the media type of the body; empty if there is none
 */
record HttpReply(int status, Map<String, String> headers, String type, Buffer body) {
    private static final String JSON = "application/json";
    private static final String EVENTS = "text/event-stream";
    private static final String PROBLEM = "application/problem+json";

    HttpReply(int status, Map<String, String> headers, String type, String text) {
        this(status, headers, type, Buffer.buffer(text));
    }

    /** Returns a response that becomes a stream of events; the body is its beginning. */
    static HttpReply stream() {
        return new HttpReply(200, Map.of(), EVENTS, ":\n\n");
    }

    /** Returns whether more follows the body. */
    boolean isStream() {
        return type.equals(EVENTS) && body.length() > 0;
    }

    /** Returns a response without a body. */
    static HttpReply empty(int status) {
        return new HttpReply(status, Map.of(), "", "");
    }

    /** Returns a response to an operator. */
    static HttpReply json(JsonObject body) {
        return new HttpReply(200, Map.of(), JSON, body.encode() + "\n");
    }

    /** Returns a response to a decision: its fields as JSON, which extend problem details if there are any. */
    static HttpReply decision(int status, Map<String, String> headers, JsonObject body) {
        return new HttpReply(status, headers, body.containsKey("status") ? PROBLEM : JSON, body.encode() + "\n");
    }

    static HttpReply problem(HttpProblem problem) {
        JsonObject body = new JsonObject()
                .put("title", HttpResponseStatus.valueOf(problem.status()).reasonPhrase())
                .put("status", problem.status())
                .put("detail", problem.getMessage())
                .mergeIn(problem.extensions());
        return new HttpReply(problem.status(), problem.headers(), PROBLEM, body.encode() + "\n");
    }

    /** Returns this response without the body, as to a HEAD request: with the length that the body would have, unless it is a stream. */
    HttpReply withoutBody() {
        Map<String, String> described = new HashMap<>(headers);
        if (body.length() > 0 && !isStream()) {
            described.put(HttpHeaderNames.CONTENT_LENGTH.toString(), String.valueOf(body.length()));
        }
        return new HttpReply(status, described, type, "");
    }
}
