package dev.weir.replay;

import java.util.Objects;

/**
 * A key and the number of its denied requests.
 *
 * @param key the key
 * @param denied the number of denied requests
 */
public record DeniedKey(String key, long denied) {
    /**
     * Creates an entry.
     *
     * @param key the key
     * @param denied the number of denied requests
     */
    public DeniedKey {
        Objects.requireNonNull(key, "key");
    }
}
