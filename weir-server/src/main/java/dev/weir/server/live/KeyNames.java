package dev.weir.server.live;

import org.jspecify.annotations.Nullable;

/** Names keys for operators. Thread-safe. */
public interface KeyNames {

    /**
     * How operators see a key, and ask for it.
     *
     * @param key the text to show
     * @param query the query of calls for this key, encoded; null if there are none
     */
    record Name(String key, @Nullable String query) {}

    /**
     * Returns the name of a key.
     *
     * @param rule the rule that limits it
     * @param key the key as the store has it
     */
    Name of(RuleId rule, String key);
}
