package dev.weir.cli;

import dev.weir.TimeSource;
import dev.weir.redis.RedisStore;
import dev.weir.store.Store;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.Slf4JLoggerFactory;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;

/** Stores for a replay on Redis, each with names of its own: nothing that is there already is seen or changed. */
final class OnRedis implements Function<TimeSource, Store> {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final RedisStore.Builder server;

    /**
     * Stores on the server with a URI; it is not connected to yet.
     *
     * @throws IllegalArgumentException if the URI cannot be read
     */
    OnRedis(String uri) {
        ServerLog.withoutStore(); // a failure ends the replay, which reports it
        InternalLoggerFactory.setDefaultFactory(Slf4JLoggerFactory.INSTANCE); // nobody reads it here
        server = RedisStore.builder(uri).timeout(TIMEOUT);
    }

    @Override
    public Store apply(TimeSource timeSource) {
        return server.timeSource(timeSource)
                .prefix("weir:replay-" + UUID.randomUUID())
                .connect();
    }
}
