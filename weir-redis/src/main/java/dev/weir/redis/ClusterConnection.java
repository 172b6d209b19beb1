package dev.weir.redis;

import dev.weir.internal.Futures;
import dev.weir.store.StoreException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.DefaultEndpoint;
import io.lettuce.core.resource.ClientResources;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The connections to the primaries of a cluster, each with its own circuit. Follows slots that move: while a circuit is open,
 * the client asks the other nodes who serves its slots.
 */
final class ClusterConnection implements RedisConnection {
    private static final long REFRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final RedisClusterClient client;
    private final boolean ownsClient;
    private final List<ClientResources> ownResources;
    private final Probe probe;
    private final EventNotifier events;
    private final Timer timer;
    private final long timeoutNanos;
    private final ScheduledExecutorService scheduler;
    private final CircuitBreaker unconnected;
    private final ConcurrentHashMap<String, CircuitBreaker> circuits =
            new ConcurrentHashMap<>(); // by node; nodes are few
    private final AtomicLong refreshAt = new AtomicLong(System.nanoTime());
    private final AtomicReference<@Nullable StatefulRedisClusterConnection<byte[], byte[]>> connection =
            new AtomicReference<>();
    private volatile CompletableFuture<?> refreshed = CompletableFuture.completedFuture(null); // the latest refresh
    private volatile boolean closed;

    ClusterConnection(
            RedisClusterClient client,
            boolean ownsClient,
            List<ClientResources> ownResources,
            Probe probe,
            EventNotifier events,
            Timer timer,
            long timeoutNanos) {
        this.client = client;
        this.ownsClient = ownsClient;
        this.ownResources = ownResources;
        this.probe = probe;
        this.events = events;
        this.timer = timer;
        this.timeoutNanos = timeoutNanos;
        this.scheduler = RedisConnection.probeThread(client);
        this.unconnected = new CircuitBreaker(scheduler, this::connect, events, timer, timeoutNanos);
    }

    @Override
    public CompletableFuture<Void> start() {
        return unconnected.start(() -> connect().thenCompose(made -> greetNodes()), "any node of the cluster");
    }

    /**
     * Connects to the nodes that serve slots, so that the first requests do not have to. Tries each at most twice: while classes are
     * loaded, a node may answer too late. The future does not fail.
     */
    private CompletableFuture<Void> greetNodes() {
        StatefulRedisClusterConnection<byte[], byte[]> known = connection.get();
        if (known == null) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<?>[] greeted = known.getPartitions().stream()
                .filter(node -> !node.getSlots().isEmpty())
                .map(node -> ping(known, node)
                        .exceptionallyCompose(failed -> ping(known, node))
                        .exceptionally(failed -> null))
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(greeted)
                .completeOnTimeout(null, CircuitBreaker.PROBE_NANOS, TimeUnit.NANOSECONDS);
    }

    /** Pings a node on the connection of the scripts, which would be another one if it was found by the id of the node. */
    private CompletableFuture<Void> ping(StatefulRedisClusterConnection<byte[], byte[]> known, RedisClusterNode node) {
        RedisURI uri = node.getUri();
        return Futures.attempt(() -> known.getConnectionAsync(uri.getHost(), uri.getPort()))
                .thenCompose(this::probe);
    }

    /** Connects, for which the client needs to know the nodes. Fails, too, if the client throws because it is shut down. */
    private CompletableFuture<Void> connect() {
        return Futures.attempt(() -> client.refreshPartitionsAsync().toCompletableFuture())
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
    public CircuitBreaker circuit(int slot) {
        StatefulRedisClusterConnection<byte[], byte[]> known = connection.get();
        RedisClusterNode node = known == null ? null : known.getPartitions().getPartitionBySlot(slot);
        if (known == null || node == null) {
            return unconnected;
        }
        String id = node.getNodeId();
        CircuitBreaker circuit = circuits.get(id);
        if (circuit != null) {
            return circuit;
        }
        for (String other : circuits.keySet()) {
            if (known.getPartitions().getPartitionByNodeId(other) == null) {
                retire(other); // it has left the cluster
            }
        }
        circuit = circuits.computeIfAbsent(
                id, made -> new CircuitBreaker(scheduler, () -> probe(id), events, timer, timeoutNanos));
        if (closed) {
            circuit.shutDown(); // this one may have been added after the others were
        }
        return circuit;
    }

    private void retire(String id) {
        CircuitBreaker gone = circuits.remove(id);
        if (gone != null) {
            gone.retire();
        }
    }

    /** Probes a node. Asks the others at the same time whether it still serves slots; if not, its circuit is of no further use. */
    private CompletionStage<?> probe(String id) {
        StatefulRedisClusterConnection<byte[], byte[]> known = connection.get();
        if (known == null) {
            return CompletableFuture.failedFuture(new StoreException("Redis is not connected"));
        }
        RedisClusterNode node = known.getPartitions().getPartitionByNodeId(id);
        if (node == null || node.getSlots().isEmpty()) {
            retire(id);
            return CompletableFuture.failedFuture(new StoreException("the node serves no slots"));
        }
        CompletableFuture<Void> probed = ping(known, node);
        CompletableFuture<?> latest = refreshed;
        boolean isRecent =
                System.nanoTime() - refreshAt.get() < CircuitBreaker.PROBE_NANOS; // else it is of another outage
        refreshUntil(probed);
        // The client tells the store only that it is not connected. If no node can be asked, the refresh knows why.
        return probed.exceptionallyCompose(
                failed -> isRecent && latest.isCompletedExceptionally() && Errors.isNotConnected(Futures.cause(failed))
                        ? latest.thenAccept(asked -> {})
                        : probed);
    }

    /** Refreshes the view of the cluster now, and again as long as a probe waits for its answer. */
    private void refreshUntil(CompletableFuture<?> probed) {
        refresh();
        if (!probed.isDone() && !closed && !scheduler.isShutdown()) {
            var unused = scheduler.schedule(() -> refreshUntil(probed), REFRESH_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /** Probes a connection. Closes it if there is no answer, so that the client reconnects. */
    private CompletionStage<Void> probe(StatefulRedisConnection<byte[], byte[]> node) {
        return probe.ping(node).whenComplete((passed, failure) -> {
            if (failure != null
                    && Probe.isSilent(failure)
                    && node instanceof RedisChannelHandler<?, ?> handler
                    && handler.getChannelWriter() instanceof DefaultEndpoint endpoint) {
                endpoint.disconnect();
            }
        });
    }

    /** Refreshes the client's view of the cluster, at most five times a second. */
    private void refresh() {
        long now = System.nanoTime();
        long due = refreshAt.get();
        if (now - due >= 0 && refreshAt.compareAndSet(due, now + REFRESH_NANOS)) {
            refreshed = client.refreshPartitionsAsync().toCompletableFuture();
        }
    }

    @Override
    public @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands() {
        StatefulRedisClusterConnection<byte[], byte[]> known = connection.get();
        return known == null ? null : known.async();
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public void findPrimary() {
        refresh();
    }

    @Override
    public void close() {
        closed = true;
        unconnected.shutDown();
        circuits.values().forEach(CircuitBreaker::shutDown);
        StatefulRedisClusterConnection<byte[], byte[]> known = connection.getAndSet(null);
        RedisConnection.close(known, ownsClient ? client : null, ownResources);
    }
}
