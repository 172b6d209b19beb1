package dev.weir.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connection to the servers, which it makes and renews by itself. Thread-safe. */
interface RedisConnection {
    /** The longest time that closing a client, or its resources, may take. */
    long CLOSE_MILLIS = 2_000;

    /**
     * An event loop ends when it had nothing to do for this time. It does not close a connection that it began just before that. It
     * looks every 100 ms, so a shorter time than this would save nothing, and on a busy machine some loops would end too early.
     */
    long QUIET_MILLIS = 90;

    /** Returns the circuit of the server that serves a slot. */
    CircuitBreaker circuit(int slot);

    /** Returns the commands that run scripts; null while there is no connection. */
    @Nullable
    RedisClusterAsyncCommands<byte[], byte[]> commands();

    /** Whether the servers are a cluster, on which the keys of a script must be in one slot. */
    boolean isCluster();

    /** Looks for the primary that replaces a server, because that refuses requests. */
    void findPrimary();

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

    /**
     * Closes a connection, a client, and resources one after the other. Waits for a limited time: the calling thread may be one of
     * the client's.
     */
    static void close(
            @Nullable StatefulConnection<?, ?> connection,
            @Nullable AbstractRedisClient client,
            List<ClientResources> resources) {
        CompletableFuture<?> ended =
                connection == null ? CompletableFuture.completedFuture(null) : connection.closeAsync();
        if (client != null) {
            ended = ended.handle((done, failure) -> client)
                    .thenCompose(its -> its.shutdownAsync(QUIET_MILLIS, CLOSE_MILLIS, TimeUnit.MILLISECONDS));
        }
        for (ClientResources each : resources) {
            ended = ended.handle((done, failure) -> each).thenCompose(RedisConnection::shutDown);
        }
        ended.handle((done, failure) -> true)
                .completeOnTimeout(false, CLOSE_MILLIS + 1_000, TimeUnit.MILLISECONDS)
                .join();
    }

    private static CompletableFuture<Void> shutDown(ClientResources resources) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        var unused = resources
                .shutdown(QUIET_MILLIS, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                .addListener(done -> ended.complete(null));
        return ended;
    }
}
