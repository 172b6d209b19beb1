package dev.weir.redis;

import dev.weir.store.StoreException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one server: a standalone one, or the primary that sentinels name. A lost connection is closed for good,
 * whatever the client would do, so that no request is repeated; then a new one is made.
 */
final class ServerLink implements Link {
    private final RedisClient client;
    private final RedisURI uri;
    private final boolean ownsClient;
    private final Circuit circuit;
    private final AtomicReference<@Nullable StatefulRedisConnection<byte[], byte[]>> connection =
            new AtomicReference<>();
    private volatile boolean closed;

    ServerLink(RedisClient client, RedisURI uri, boolean ownsClient, EventThread events) {
        this.client = client;
        this.uri = uri;
        this.ownsClient = ownsClient;
        circuit = new Circuit(client.getResources().eventExecutorGroup(), this::probe, events);
    }

    @Override
    public CompletableFuture<Void> start() {
        return connect().exceptionally(failure -> {
            circuit.open(new StoreException("Redis cannot be reached at " + place() + ": " + Circuit.reason(failure)));
            return null;
        });
    }

    private CompletionStage<?> probe() {
        StatefulRedisConnection<byte[], byte[]> known = connection.get();
        if (known == null) {
            return connect();
        }
        return known.async()
                .ping()
                .toCompletableFuture()
                .orTimeout(Circuit.PROBE_SECONDS, TimeUnit.SECONDS)
                .whenComplete((pong, failure) -> {
                    if (failure != null) {
                        lost(known);
                    }
                });
    }

    private CompletableFuture<Void> connect() {
        return client.connectAsync(ByteArrayCodec.INSTANCE, uri)
                .toCompletableFuture()
                .thenCompose(made -> Script.load(made.async()).thenApply(loaded -> made))
                .thenAccept(made -> {
                    made.addListener(new RedisConnectionStateListener() {
                        @Override
                        public void onRedisDisconnected(RedisChannelHandler<?, ?> channel) {
                            lost(made);
                        }
                    });
                    if (!connection.compareAndSet(null, made)) { // one is enough
                        CompletableFuture<Void> unused = made.closeAsync();
                    } else if (closed || !made.isOpen()) {
                        lost(made);
                        throw new StoreException("Redis closed the connection");
                    }
                });
    }

    private void lost(StatefulRedisConnection<byte[], byte[]> gone) {
        if (connection.compareAndSet(gone, null)) {
            circuit.open(new StoreException("the connection to Redis at " + place() + " was lost"));
            CompletableFuture<Void> unused = gone.closeAsync();
        }
    }

    /** Returns where the server is, without the secrets of the URI. */
    private String place() {
        return uri.getSentinels().isEmpty()
                ? uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : uri.getSocket()
                : uri.getSentinelMasterId() + ", by its sentinels";
    }

    @Override
    public Circuit circuit(int slot) {
        return circuit;
    }

    @Override
    public @Nullable RedisScriptingAsyncCommands<byte[], byte[]> commands() {
        StatefulRedisConnection<byte[], byte[]> known = connection.get();
        return known == null ? null : known.async();
    }

    @Override
    public boolean joinsSlots() {
        return true;
    }

    @Override
    public void turnedAway(int slot) {
        StatefulRedisConnection<byte[], byte[]> known = connection.get();
        if (known != null) {
            lost(known);
        }
    }

    @Override
    public void close() {
        closed = true;
        circuit.close();
        StatefulRedisConnection<byte[], byte[]> known = connection.getAndSet(null);
        Link.close(known, ownsClient ? client : null);
    }
}
