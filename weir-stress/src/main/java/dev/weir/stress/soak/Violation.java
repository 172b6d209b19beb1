package dev.weir.stress.soak;

import dev.weir.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What should not have happened.
 *
 * @param what in words
 * @param key whose
 * @param limit the limit of that call, null if it is not about one
 * @param stamps what was booked
 */
record Violation(String what, String key, @Nullable Limit limit, List<String> stamps) {
    @Override
    public String toString() {
        return what + ", key " + key + ", limit " + limit
                + (stamps.isEmpty() ? "" : "\n    " + String.join("\n    ", stamps));
    }
}
