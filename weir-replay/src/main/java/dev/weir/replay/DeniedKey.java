package dev.weir.replay;

import java.util.Objects;

/**
 * A key that was denied, and how often.
 *
 * @param key the key's text
 * @param denied its denied requests
 */
public record DeniedKey(String key, long denied) {
    public DeniedKey {
        Objects.requireNonNull(key, "key");
    }
}
