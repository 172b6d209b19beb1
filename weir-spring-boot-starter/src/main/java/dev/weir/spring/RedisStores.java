package dev.weir.spring;

import dev.weir.TimeSource;
import dev.weir.redis.RedisStore;
import dev.weir.spring.internal.Problems;
import dev.weir.store.StoreListener;
import java.util.List;
import java.util.function.Function;

/** Connects stores on Redis. Loaded only where weir-redis is on the class path. */
final class RedisStores {
    private RedisStores() {}

    /** Adds problems of the properties under {@code weir.redis}. */
    static void check(WeirProperties.Redis redis, Problems problems) {
        String uri = redis.uri();
        if (uri != null) {
            problems.parse("weir.redis.uri", () -> RedisStore.builder(uri));
        }
        check("timeout", builder -> builder.timeout(redis.timeout()), problems);
        check("prefix", builder -> builder.prefix(redis.prefix()), problems);
        check("max-in-flight", builder -> builder.maxInFlight(redis.maxInFlight()), problems);
        check("denial-memory", builder -> builder.denialMemory(redis.denialMemory()), problems);
        String secret = redis.hashKeys();
        if (secret != null) {
            check("hash-keys", builder -> builder.hashKeys(secret), problems);
        }
    }

    private static void check(
            String property, Function<RedisStore.Builder, RedisStore.Builder> setting, Problems problems) {
        problems.parse("weir.redis." + property, () -> setting.apply(RedisStore.builder("redis://localhost")));
    }

    /** Returns a builder of a store with all settings. */
    static RedisStore.Builder builder(
            String uri, WeirProperties.Redis redis, List<StoreListener> listeners, TimeSource timeSource) {
        RedisStore.Builder builder = RedisStore.builder(uri)
                .timeout(redis.timeout())
                .prefix(redis.prefix())
                .maxInFlight(redis.maxInFlight())
                .denialMemory(redis.denialMemory())
                .timeSource(timeSource);
        String secret = redis.hashKeys();
        if (secret != null) {
            builder.hashKeys(secret);
        }
        listeners.forEach(builder::listener);
        return builder;
    }
}
