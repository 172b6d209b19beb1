package dev.weir.cli;

import dev.weir.Clock;
import dev.weir.Listener;
import dev.weir.redis.RedisStore;
import dev.weir.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Stores for a replay on Redis, each with names of its own: nothing that is there already is seen or changed. */
final class OnRedis implements Function<Clock, Store> {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /* What these log is for servers; kept here, since the platform forgets loggers that nobody holds. */
    private static final List<Logger> SILENT = Stream.of("io.lettuce", "io.netty", "reactor")
            .map(Logger::getLogger)
            .toList();

    private final RedisStore.Builder server;

    OnRedis(String uri) {
        SILENT.forEach(library -> library.setLevel(Level.OFF));
        try {
            server = RedisStore.builder(uri).timeout(PATIENCE).listener(new Listener() {}); // failures end the replay
        } catch (IllegalArgumentException unreadable) {
            throw new CommandFailure(Converters.named("--redis", String.valueOf(unreadable.getMessage())));
        }
    }

    @Override
    public Store apply(Clock clock) {
        return server.clock(clock).prefix("weir:replay-" + UUID.randomUUID()).connect();
    }
}
