package dev.weir.redis;

import dev.weir.store.StoreException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.DefaultEndpoint;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The connections to the primaries of a cluster, each with its own circuit. Follows slots that move. */
final class ClusterLink implements Link {
    private final RedisClusterClient client;
    private final boolean ownsClient;
    private final EventThread events;
    private final ScheduledExecutorService scheduler;
    private final Circuit unconnected;
    private final ConcurrentHashMap<String, Circuit> circuits = new ConcurrentHashMap<>(); // by node; nodes are few
    private final AtomicReference<@Nullable StatefulRedisClusterConnection<byte[], byte[]>> connection =
            new AtomicReference<>();
    private volatile boolean closed;

    ClusterLink(RedisClusterClient client, boolean ownsClient, EventThread events) {
        this.client = client;
        this.ownsClient = ownsClient;
        this.events = events;
        this.scheduler = client.getResources().eventExecutorGroup();
        this.unconnected = new Circuit(scheduler, this::connect, events);
    }

    @Override
    public CompletableFuture<Void> start() {
        return connect().exceptionally(failure -> {
            unconnected.open(new StoreException(
                    "Redis cannot be reached at any node of the cluster: " + Circuit.reason(failure)));
            return null;
        });
    }

    private CompletableFuture<Void> connect() {
        return client.refreshPartitionsAsync() // the client needs them to connect
                .toCompletableFuture()
                .thenCompose(known -> client.connectAsync(ByteArrayCodec.INSTANCE))
                .thenCompose(made -> Script.load(made.async()).thenApply(loaded -> made))
                .thenAccept(made -> {
                    boolean first = connection.compareAndSet(null, made); // one is enough
                    if (!first || (closed && connection.compareAndSet(made, null))) {
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
                : circuits.computeIfAbsent(id, made -> new Circuit(scheduler, () -> probe(id), events));
    }

    private CompletionStage<?> probe(String id) {
        StatefulRedisClusterConnection<byte[], byte[]> known = connection.get();
        RedisClusterNode node = known == null ? null : known.getPartitions().getPartitionByNodeId(id);
        if (known == null || node == null) {
            Circuit gone = known == null ? null : circuits.remove(id); // the node has left the cluster
            if (gone != null) {
                gone.close();
            }
            return CompletableFuture.failedFuture(new StoreException("Redis is not connected"));
        }
        RedisURI uri = node.getUri(); // by id, it would be another connection than that of the scripts
        return known.getConnectionAsync(uri.getHost(), uri.getPort()).thenCompose(ClusterLink::probe);
    }

    /** Probes a connection. Closes it if there is no answer, so that the client reconnects. */
    private static CompletionStage<?> probe(StatefulRedisConnection<byte[], byte[]> node) {
        return node.async()
                .ping()
                .toCompletableFuture()
                .orTimeout(Circuit.PROBE_SECONDS, TimeUnit.SECONDS)
                .whenComplete((pong, failure) -> {
                    if (failure instanceof TimeoutException
                            && node instanceof RedisChannelHandler<?, ?> handler
                            && handler.getChannelWriter() instanceof DefaultEndpoint endpoint) {
                        endpoint.disconnect();
                    }
                });
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

    /** Refreshes the client's view of the cluster. */
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
