package dev.weir.redis;

import dev.weir.Listener;
import dev.weir.store.StoreException;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Connections to the primaries of a cluster, each with a circuit of its own. Slots that move are followed. */
final class ClusterLink implements Link {
    private final RedisClusterClient client;
    private final boolean ownsClient;
    private final Listener listener;
    private final ScheduledExecutorService scheduler;
    private final Circuit unconnected;
    private final ConcurrentHashMap<String, Circuit> circuits = new ConcurrentHashMap<>(); // by node; nodes are few
    private final AtomicReference<@Nullable StatefulRedisClusterConnection<byte[], byte[]>> connection =
            new AtomicReference<>();
    private volatile boolean closed;

    ClusterLink(RedisClusterClient client, boolean ownsClient, Listener listener) {
        this.client = client;
        this.ownsClient = ownsClient;
        this.listener = listener;
        this.scheduler = client.getResources().eventExecutorGroup();
        this.unconnected = new Circuit(scheduler, this::connect, listener);
    }

    @Override
    public CompletableFuture<Void> start() {
        return connect().exceptionally(failure -> {
            unconnected.open(new StoreException("Redis cannot be reached at any node of the cluster: "
                    + Wire.root(failure).getMessage()));
            return null;
        });
    }

    private CompletableFuture<Void> connect() {
        return client.refreshPartitionsAsync() // which connecting needs, and does not do by itself
                .toCompletableFuture()
                .thenCompose(known -> client.connectAsync(ByteArrayCodec.INSTANCE))
                .thenCompose(made -> Script.load(made.async()).thenApply(loaded -> made))
                .thenAccept(made -> {
                    if (closed || !connection.compareAndSet(null, made)) {
                        CompletableFuture<Void> unused = made.closeAsync();
                    }
                });
    }

    @Override
    public Circuit circuit(int slot) {
        StatefulRedisClusterConnection<byte[], byte[]> known = connection.get();
        RedisClusterNode node = known == null ? null : known.getPartitions().getPartitionBySlot(slot);
        if (known == null || node == null) {
            return unconnected;
        }
        String id = node.getNodeId();
        Circuit circuit = circuits.get(id);
        return circuit != null
                ? circuit
                : circuits.computeIfAbsent(
                        id,
                        made -> new Circuit(
                                scheduler,
                                () -> known.getConnectionAsync(id)
                                        .thenCompose(there -> there.async().ping()),
                                listener));
    }

    @Override
    public @Nullable RedisScriptingAsyncCommands<byte[], byte[]> commands() {
        StatefulRedisClusterConnection<byte[], byte[]> known = connection.get();
        return known == null ? null : known.async();
    }

    @Override
    public boolean joinsSlots() {
        return false;
    }

    /** The client has been told where the slot is now, or will ask. */
    @Override
    public void turnedAway(int slot) {
        client.refreshPartitionsAsync();
    }

    @Override
    public void close() {
        closed = true;
        unconnected.close();
        circuits.values().forEach(Circuit::close);
        StatefulRedisClusterConnection<byte[], byte[]> known = connection.getAndSet(null);
        Link.close(known, ownsClient ? client : null);
    }
}
