package dev.weir.redis;

import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The way to the servers that keep the state: it connects, and connects again, by itself. Thread-safe. */
interface Link {
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
}
