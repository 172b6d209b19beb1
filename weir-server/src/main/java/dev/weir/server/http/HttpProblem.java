package dev.weir.server.http;

import dev.weir.internal.Spelling;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/** A request that is answered with problem details (RFC 9457). It has no stack trace, since clients cause it. */
final class HttpProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private static final int MAX_DETAIL = 500;

    /** The status of the response. */
    private final int status;

    /** Headers of the response. */
    private final transient Map<String, String> headers;

    /** Members of the problem in addition to those of RFC 9457. */
    private final transient JsonObject extensions;

    HttpProblem(int status, String detail) {
        this(status, detail, Map.of(), new JsonObject());
    }

    HttpProblem(int status, String detail, Map<String, String> headers, JsonObject extensions) {
        super(Spelling.shown(detail, MAX_DETAIL), null, false, false);
        this.status = status;
        this.headers = Map.copyOf(headers);
        this.extensions = extensions;
    }

    static HttpProblem badRequest(String detail) {
        return new HttpProblem(400, detail);
    }

    int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    JsonObject extensions() {
        return extensions;
    }
}
