package dev.weir.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The way to the servers that keep the state: it connects, and connects again, by itself. Thread-safe. */
interface Link {
    /** How long closing may take. */
    long CLOSE_SECONDS = 2;

    /** Whether the server answers that serves a slot. */
    Circuit circuit(int slot);

    /** What sends scripts; null while there is no connection. */
    @Nullable
    RedisScriptingAsyncCommands<byte[], byte[]> commands();

    /** Whether one script may touch keys of different slots. */
    boolean joinsSlots();

    /** The server that was asked is no longer the one to ask. */
    void turnedAway(int slot);

    /** Connects for the first time; completed when that has succeeded, or failed and is tried again. */
    CompletableFuture<Void> start();

    /** Closes connections, and what else is its own. */
    void close();

    /** Closes these. Waits for it, but not for ever: the thread may be one of the client's. */
    static void close(@Nullable StatefulConnection<?, ?> connection, @Nullable AbstractRedisClient client) {
        CompletableFuture<Void> closed =
                connection == null ? CompletableFuture.completedFuture(null) : connection.closeAsync();
        CompletableFuture<Void> over = client == null
                ? closed
                : closed.handle((done, failure) -> client)
                        .thenCompose(its -> its.shutdownAsync(0, CLOSE_SECONDS, TimeUnit.SECONDS));
        over.handle((done, failure) -> true)
                .completeOnTimeout(false, CLOSE_SECONDS + 1, TimeUnit.SECONDS)
                .join();
    }
}
