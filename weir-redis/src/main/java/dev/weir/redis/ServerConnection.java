package dev.weir.redis;

import dev.weir.internal.Futures;
import dev.weir.store.StoreException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one server: a standalone one, or the primary that sentinels name. A lost connection is closed for good,
 * whatever the client would do, so that no request is repeated; then a new one is made.
 */
final class ServerConnection implements RedisConnection {
    private final RedisClient client;
    private final RedisURI uri;
    private final boolean ownsClient;
    private final Probe probe;
    private final CircuitBreaker circuit;
    private final AtomicReference<@Nullable StatefulRedisConnection<byte[], byte[]>> connection =
            new AtomicReference<>();
    private volatile boolean closed;

    ServerConnection(
            RedisClient client,
            RedisURI uri,
            boolean ownsClient,
            Probe probe,
            EventNotifier events,
            long timeoutNanos) {
        this.client = client;
        this.uri = uri;
        this.ownsClient = ownsClient;
        this.probe = probe;
        circuit = new CircuitBreaker(RedisConnection.probeThread(client), this::probe, events, timeoutNanos);
    }

    /** Connects at most twice: on some threads the client hands out a connection a moment before it sends commands on it. */
    @Override
    public CompletableFuture<Void> start() {
        return circuit.start(connect().exceptionallyCompose(failed -> connect()), place());
    }

    private CompletionStage<?> probe() {
        StatefulRedisConnection<byte[], byte[]> known = connection.get();
        return known == null
                ? connect()
                : probe.write(known).whenComplete((passed, failure) -> {
                    if (failure != null && Probe.isLost(failure)) {
                        lost(known);
                    }
                });
    }

    /** Connects. Fails, too, if the client throws because it is shut down. */
    private CompletableFuture<Void> connect() {
        return Futures.attempt(
                        () -> client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture())
                .thenCompose(this::prepare)
                .thenAccept(this::use)
                .whenComplete((used, failure) -> {
                    if (failure != null) {
                        askNextSentinel();
                    }
                });
    }

    /**
     * Lets the next attempt ask another sentinel first. The client asks the first one that it can connect to, which may not know
     * the primary, or may name a former one.
     */
    private void askNextSentinel() {
        synchronized (uri) { // an attempt that was given up may end during the next one, which then may ask one twice
            Collections.rotate(uri.getSentinels(), -1);
        }
    }

    /** Loads the scripts, and checks that the server accepts writes; else the connection is closed. */
    private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> prepare(
            StatefulRedisConnection<byte[], byte[]> made) {
        return Script.load(made.async())
                .thenCompose(loaded -> probe.write(made))
                .exceptionallyCompose(failure -> Probe.isLost(failure)
                        ? CompletableFuture.failedFuture(Futures.cause(failure))
                        : CompletableFuture.completedFuture(null)) // slow: whether it is in time, the next scripts show
                .whenComplete((passed, failure) -> {
                    if (failure != null) {
                        CompletableFuture<Void> unused = made.closeAsync();
                    }
                })
                .thenApply(passed -> made);
    }

    private void use(StatefulRedisConnection<byte[], byte[]> made) {
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
    }

    private void lost(StatefulRedisConnection<byte[], byte[]> gone) {
        if (connection.compareAndSet(gone, null)) {
            circuit.open(new StoreException("the connection to Redis at " + place() + " was lost"), System.nanoTime());
            CompletableFuture<Void> unused = gone.closeAsync();
        }
    }

    /** Returns where the server is, without the secrets of the URI. */
    private String place() {
        return uri.getSentinels().isEmpty()
                ? uri.getHost() + ":" + uri.getPort()
                : uri.getSentinelMasterId() + ", by its sentinels";
    }

    @Override
    public CircuitBreaker circuit(int slot) {
        return circuit;
    }

    @Override
    public @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands() {
        StatefulRedisConnection<byte[], byte[]> known = connection.get();
        return known == null ? null : known.async();
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    /** Closes the connection, so that the next probe connects again: by its name, which may mean another server by then. */
    @Override
    public void replace(CircuitBreaker circuit) {
        StatefulRedisConnection<byte[], byte[]> known = connection.get();
        if (known != null) {
            lost(known);
        }
    }

    @Override
    public void close() {
        closed = true;
        circuit.shutDown();
        StatefulRedisConnection<byte[], byte[]> known = connection.getAndSet(null);
        RedisConnection.close(known, ownsClient ? client : null, List.of());
    }
}
