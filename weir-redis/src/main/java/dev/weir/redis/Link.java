package dev.weir.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connection to the servers, which it makes and renews by itself. Thread-safe. */
interface Link {
    /** The longest time that closing may take. */
    long CLOSE_SECONDS = 2;

    /** Returns the circuit of the server that serves a slot. */
    Circuit circuit(int slot);

    /** Returns the commands that send scripts; null while there is no connection. */
    @Nullable
    RedisScriptingAsyncCommands<byte[], byte[]> commands();

    /** Whether one script may touch keys of different slots. */
    boolean joinsSlots();

    /** Records that the server of a slot is no longer its primary. */
    void turnedAway(int slot);

    /** Connects for the first time. The future completes when that has succeeded, or has failed and is retried. */
    CompletableFuture<Void> start();

    /** Closes the connections, and the client if it is the store's own. */
    void close();

    /** Closes a connection and a client. Waits for a limited time: the calling thread may be one of the client's. */
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
