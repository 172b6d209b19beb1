package dev.weir.replay;

import dev.weir.Limit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one limit for a trace. Requests are counted, not permits.
 *
 * @param limit the limit
 * @param allowed requests admitted, at once or after a wait
 * @param denied requests refused
 * @param worstWindow the most weight any one key had admitted in any window of the limit's length
 * @param topDenied the ten most denied keys, most denied first and then by key
 * @param delays the waits, if the limit is a queue; else null
 */
public record ReplayResult(
        Limit limit,
        long allowed,
        long denied,
        long worstWindow,
        List<DeniedKey> topDenied,
        @Nullable Delays delays) {
    public ReplayResult {
        Objects.requireNonNull(limit, "limit");
        topDenied = List.copyOf(topDenied);
    }
}
