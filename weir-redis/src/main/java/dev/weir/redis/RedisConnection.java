package dev.weir.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connection to the servers, which it makes and renews by itself. Thread-safe. */
interface RedisConnection {
    /** The longest time that closing may take. */
    long CLOSE_SECONDS = 2;

    /** Returns the circuit of the server that serves a slot. */
    CircuitBreaker circuit(int slot);

    /** Returns the commands that run scripts; null while there is no connection. */
    @Nullable
    RedisClusterAsyncCommands<byte[], byte[]> commands();

    /** Whether the servers are a cluster, on which the keys of a script must be in one slot. */
    boolean isCluster();

    /** Looks for the primary that replaces a server, whose circuit is open. */
    void replace(CircuitBreaker circuit);

    /** Connects for the first time. The future completes when that has succeeded, or has failed and is retried. */
    CompletableFuture<Void> start();

    /** Closes the connections, and the client if it is the store's own. */
    void close();

    /** Returns a thread of the client for probes. Starts it now: when a probe is due, it may be impossible to start a thread. */
    static ScheduledExecutorService probeThread(AbstractRedisClient client) {
        EventExecutor thread = client.getResources().eventExecutorGroup().next();
        if (!thread.isShuttingDown()) {
            thread.execute(() -> {});
        }
        return thread;
    }

    /** Closes a connection and a client. Waits for a limited time: the calling thread may be one of the client's. */
    static void close(@Nullable StatefulConnection<?, ?> connection, @Nullable AbstractRedisClient client) {
        CompletableFuture<Void> closed =
                connection == null ? CompletableFuture.completedFuture(null) : connection.closeAsync();
        CompletableFuture<Void> ended = client == null
                ? closed
                : closed.handle((done, failure) -> client)
                        .thenCompose(its -> its.shutdownAsync(0, CLOSE_SECONDS, TimeUnit.SECONDS));
        ended.handle((done, failure) -> true)
                .completeOnTimeout(false, CLOSE_SECONDS + 1, TimeUnit.SECONDS)
                .join();
    }
}
