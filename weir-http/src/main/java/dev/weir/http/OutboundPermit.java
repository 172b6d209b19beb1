package dev.weir.http;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The permit of one call: send the call now, then report the response. For adapters of HTTP clients; see {@link
 * OutboundLimiter}. Thread-safe.
 */
public final class OutboundPermit {
    private final OutboundLearning learning;
    private final OutboundLearning.@Nullable Call call;

    /** Creates the permit of a call; null if it is not limited. */
    OutboundPermit(OutboundLearning learning, OutboundLearning.@Nullable Call call) {
        this.learning = learning;
        this.call = call;
    }

    /**
     * Reports a response, from which the limiter learns: a status of 429, 503 or 403 with {@code Retry-After}, and {@code RateLimit}
     * headers. Does not block and does not throw; what cannot be read is ignored, and logged at most once a minute.
     *
     * @param status the status code
     * @param headers returns all values of a header in their order, by its name; empty if there is none
     */
    public void received(int status, Function<String, List<String>> headers) {
        if (call != null) {
            learning.learn(call, status, headers);
        }
    }

    /**
     * Releases the permit of a call that was not sent. Do not release that of a call that may have reached the server.
     *
     * @return whether a permit was released
     */
    public boolean cancel() {
        return call != null && call.reservation().cancel();
    }
}
