package dev.weir.server;

import dev.weir.redis.RedisStore;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.util.Map;

/** Reads the configuration that settings name: files or, if there are none, the example. Thread-safe. */
final class ConfigurationSource {
    private static final String EXAMPLE = "example.yaml";

    private final ServerSettings settings;

    ConfigurationSource(ServerSettings settings) {
        this.settings = settings;
    }

    /** Returns the texts of the files, by their names. */
    Map<String, String> texts() {
        return settings.configuration == null
                ? Map.of(EXAMPLE, Resources.text(EXAMPLE))
                : new ConfigurationFiles(settings.configuration).read();
    }

    /**
     * Reads texts.
     *
     * @throws ConfigurationException if there is a problem
     */
    Configuration read(Map<String, String> texts, Store store) {
        return new ConfigurationReader(settings, store::check).read(texts);
    }

    /** Reads the files without a server, and checks what the store of these settings can hold without a connection. */
    Configuration check() {
        if (settings.redis != null) {
            return new ConfigurationReader(settings, RedisStore::checkLimits).read(texts());
        }
        try (MemoryStore any = MemoryStore.create()) {
            return read(texts(), any);
        }
    }
}
