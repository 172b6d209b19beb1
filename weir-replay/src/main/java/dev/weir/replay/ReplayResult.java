package dev.weir.replay;

import dev.weir.Accounting;
import dev.weir.Limit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of replaying a trace against one limit. Immutable.
 *
 * @param limit the limit
 * @param allowed the number of requests admitted, at once or after a wait
 * @param denied the number of requests denied
 * @param deniedKeys the number of keys of these requests
 * @param worstWindow the most permits that any one key was granted in any window of the limit's length, where a request that waits
 *     counts at the end of its wait; {@link Long#MAX_VALUE} if it is more than that
 * @param topDenied the keys with the most denied requests, at most ten, most denied first and then by key
 * @param delays the waits if the limit is a leaky bucket, otherwise null
 */
public record ReplayResult(
        Limit limit,
        long allowed,
        long denied,
        int deniedKeys,
        long worstWindow,
        List<DeniedKey> topDenied,
        @Nullable Delays delays) {
    /**
     * Copies the list.
     *
     * @param limit the limit
     * @param allowed the number of requests admitted
     * @param denied the number of requests denied
     * @param deniedKeys the number of keys of these requests
     * @param worstWindow the most permits that any one key was granted in any window
     * @param topDenied the keys with the most denied requests
     * @param delays the waits, or null
     */
    public ReplayResult {
        Objects.requireNonNull(limit, "limit");
        topDenied = List.copyOf(topDenied);
    }

    /** {@return whether the limit counts in a window; false if it is unlimited} */
    public boolean hasWindow() {
        return limit.accounting().method() != Accounting.Method.NOTHING;
    }

    /** {@return whether the worst window has no more permits than the limit} */
    public boolean holds() {
        return worstWindow <= limit.permits();
    }

    /**
     * Returns the worst window against the limit in a word.
     *
     * @return {@code holds}, or its ratio to the limit, such as {@code 2.0×}, or {@code over} if that would be {@code 1.0×}
     */
    public String verdict() {
        if (holds()) {
            return "holds";
        }
        String ratio = String.format(Locale.ROOT, "%,.1f×", (double) worstWindow / limit.permits());
        return ratio.equals("1.0×") ? "over" : ratio;
    }

    /**
     * A key and the number of its denied requests.
     *
     * @param key the key
     * @param denied the number of denied requests
     */
    public record DeniedKey(String key, long denied) {}

    /**
     * The waits of the requests that a leaky bucket admitted.
     *
     * @param delayed the number of requests that were admitted after a wait
     * @param maxWaitMillis the longest of these waits in milliseconds, rounded up; 0 if there were none
     */
    public record Delays(long delayed, long maxWaitMillis) {}
}
