package dev.weir.redis;

import dev.weir.internal.Futures;
import dev.weir.redis.PrimaryDiscovery.Primary;
import dev.weir.store.StoreException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one server: a standalone one, or the primary that sentinels name. A lost connection is closed for good,
 * whatever the client would do, so that no request is repeated; then a new one is made. After a failover the connection to the new
 * primary replaces the other, which is not lost then: sentinels leave a former primary as it is for ten seconds, in which it grants
 * permits that the new one does not know.
 */
final class ServerConnection implements RedisConnection {
    private static final long FOLLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RedisClient client;
    private final RedisURI uri;
    private final boolean ownsClient;
    private final Probe probe;
    private final EventNotifier events;
    private final Timer timer;
    private final long timeoutNanos;
    private final PrimaryDiscovery discovery;
    private final ScheduledExecutorService scheduler;
    private final CircuitBreaker circuit;
    private final AtomicReference<@Nullable Server> server = new AtomicReference<>();
    private volatile boolean closed;

    private record Server(StatefulRedisConnection<byte[], byte[]> connection, Primary primary) {}

    ServerConnection(
            RedisClient client,
            RedisURI uri,
            boolean ownsClient,
            Probe probe,
            EventNotifier events,
            Timer timer,
            long timeoutNanos) {
        this.client = client;
        this.uri = uri;
        this.ownsClient = ownsClient;
        this.probe = probe;
        this.events = events;
        this.timer = timer;
        this.timeoutNanos = timeoutNanos;
        discovery = new PrimaryDiscovery(client, uri);
        scheduler = RedisConnection.probeThread(client);
        circuit = new CircuitBreaker(scheduler, this::probe, events, timer, timeoutNanos);
    }

    @Override
    public CompletableFuture<Void> start() {
        if (discovery.mayChange()) {
            followLater();
        }
        return circuit.start(this::connect, place());
    }

    private CompletionStage<?> probe() {
        Server known = server.get();
        return known == null
                ? connect()
                : probe.write(known.connection).whenComplete((passed, failure) -> {
                    if (failure != null && Probe.isLost(failure)) {
                        lost(known.connection);
                    }
                });
    }

    private CompletableFuture<Void> connect() {
        return discovery.find().thenCompose(this::connectToOneOf).thenAccept(made -> use(null, made));
    }

    /** Connects to the first of the servers that accepts writes. */
    private CompletableFuture<Server> connectToOneOf(List<Primary> named) {
        CompletableFuture<Server> first = connectTo(named.get(0));
        return named.size() == 1
                ? first
                : first.exceptionallyCompose(failure -> connectToOneOf(named.subList(1, named.size())));
    }

    /** Connects. Fails, too, if the client throws because it is shut down. */
    private CompletableFuture<Server> connectTo(Primary primary) {
        return Futures.attempt(() -> client.connectAsync(ByteArrayCodec.INSTANCE, primary.uri())
                        .toCompletableFuture())
                .thenCompose(this::prepare)
                .thenApply(made -> new Server(made, primary));
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

    /** Uses a connection in place of the former one, unless that was replaced or lost meanwhile. */
    private void use(@Nullable Server former, Server made) {
        made.connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> channel) {
                lost(made.connection);
            }
        });
        if (!server.compareAndSet(former, made)) { // one is enough
            CompletableFuture<Void> unused = made.connection.closeAsync();
            return;
        }
        if (former != null) {
            circuit.moved();
            closeLater(former.connection);
            events.promoted(RedisUris.address(made.primary.uri()));
        }
        if (closed || !made.connection.isOpen()) {
            lost(made.connection);
            throw new StoreException("Redis closed the connection");
        }
    }

    /** Closes a connection when the requests that were sent on it are answered, or too late. */
    private void closeLater(StatefulRedisConnection<byte[], byte[]> former) {
        Runnable close = () -> {
            CompletableFuture<Void> unused = former.closeAsync();
        };
        var unused = scheduler.schedule(close, timeoutNanos, TimeUnit.NANOSECONDS);
    }

    private void lost(StatefulRedisConnection<byte[], byte[]> gone) {
        Server former = server.getAndUpdate(known -> known != null && known.connection == gone ? null : known);
        if (former != null && former.connection == gone) {
            circuit.open(new StoreException("the connection to Redis at " + place() + " was lost"), timer.nanos());
            CompletableFuture<Void> unused = gone.closeAsync();
        }
    }

    private void followLater() {
        try {
            var unused = scheduler.schedule(this::follow, FOLLOW_NANOS, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException clientClosed) { // nothing can be sent from then on
            closed = true;
        }
    }

    private void follow() {
        if (!closed) {
            CompletableFuture<?> unused = Futures.attempt(discovery::find)
                    .thenCompose(named -> moveTo(named.get(0)))
                    .whenComplete((followed, failure) -> followLater()); // if it failed, the next time
        }
    }

    /** Connects to a server that a later failover than that of the connected one has made the primary. */
    private CompletableFuture<Void> moveTo(Primary newest) {
        Server known = server.get();
        if (known == null || newest.epoch() <= known.primary.epoch()) {
            return CompletableFuture.completedFuture(null);
        }
        if (newest.uri().equals(known.primary.uri())) {
            server.compareAndSet(known, new Server(known.connection, newest));
            return CompletableFuture.completedFuture(null);
        }
        return connectTo(newest).thenAccept(made -> use(known, made));
    }

    /** Returns where the server is. */
    private String place() {
        return uri.getSentinels().isEmpty()
                ? RedisUris.address(uri)
                : uri.getSentinelMasterId() + " (by its sentinels)";
    }

    @Override
    public CircuitBreaker circuit(int slot) {
        return circuit;
    }

    @Override
    public @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands() {
        Server known = server.get();
        return known == null ? null : known.connection.async();
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    /** Closes the connection, so that the next probe connects again: by its name, which may mean another server by then. */
    @Override
    public void findPrimary() {
        Server known = server.get();
        if (known != null) {
            lost(known.connection);
        }
    }

    @Override
    public void close() {
        closed = true;
        circuit.shutDown();
        discovery.close();
        Server known = server.getAndSet(null);
        RedisConnection.close(known == null ? null : known.connection, ownsClient ? client : null, List.of());
    }
}
