package dev.weir.spring;

import dev.weir.TimeSource;
import dev.weir.redis.RedisStore;
import dev.weir.spring.internal.Problems;
import dev.weir.store.StoreListener;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Connects stores on Redis. Loaded only where weir-redis is on the class path. */
final class RedisStores {
    private RedisStores() {}

    /** Adds problems of the properties under {@code weir.redis}. */
    static void check(WeirProperties.Redis redis, Problems problems) {
        String uri = redis.uri();
        if (uri != null) {
            problems.parse("weir.redis.uri", () -> RedisStore.builder(uri));
        }
        settings(redis)
                .forEach((property, setting) -> problems.parse(
                        "weir.redis." + property, () -> setting.apply(RedisStore.builder("redis://localhost"))));
    }

    /** Returns a builder of a store with all settings. */
    static RedisStore.Builder builder(
            String uri, WeirProperties.Redis redis, List<StoreListener> listeners, TimeSource timeSource) {
        RedisStore.Builder builder = RedisStore.builder(uri).timeSource(timeSource);
        for (UnaryOperator<RedisStore.Builder> setting : settings(redis).values()) {
            builder = setting.apply(builder);
        }
        listeners.forEach(builder::listener);
        return builder;
    }

    /** Returns what sets each property that has a value, by its name under {@code weir.redis}. */
    private static Map<String, UnaryOperator<RedisStore.Builder>> settings(WeirProperties.Redis redis) {
        Map<String, UnaryOperator<RedisStore.Builder>> settings = new LinkedHashMap<>();
        settings.put("timeout", builder -> builder.timeout(redis.timeout()));
        settings.put("prefix", builder -> builder.prefix(redis.prefix()));
        settings.put("max-in-flight", builder -> builder.maxInFlight(redis.maxInFlight()));
        settings.put("denial-memory", builder -> builder.denialMemory(redis.denialMemory()));
        String secret = redis.hashKeys();
        if (secret != null) {
            settings.put("hash-keys", builder -> builder.hashKeys(secret));
        }
        return settings;
    }
}
