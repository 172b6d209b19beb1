package dev.weir.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Creates the connection to the servers that a URI names, or that an existing client is connected to. */
final class ConnectionFactory {
    private static final Duration TO_CONNECT = Duration.ofSeconds(1);
    private static final Duration MAX_RECONNECT_DELAY = Duration.ofMillis(500); // that of probes
    private static final Duration TO_GREET = Duration.ofNanos(CircuitBreaker.PROBE_NANOS);
    private static final int TIMEOUTS_TO_GREET_A_NODE = 6; // connect, TLS, greeting and question are fewer round trips
    private static final long MIN_NANOS_TO_GREET_A_NODE = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long MAX_NANOS_TO_GREET_A_NODE = TimeUnit.MILLISECONDS.toNanos(500);

    private final Probe probe;
    private final EventNotifier events;
    private final Timer timer;
    private final long timeoutNanos;

    ConnectionFactory(byte[] absentKey, EventNotifier events, Timer timer, long timeoutNanos) {
        this.probe = new Probe(absentKey, timer, timeoutNanos);
        this.events = events;
        this.timer = timer;
        this.timeoutNanos = timeoutNanos;
    }

    /** Creates a connection that is not started. Of the client and the resources one at most is used. */
    RedisConnection connect(String uri, @Nullable AbstractRedisClient client, @Nullable ClientResources resources) {
        if (client instanceof RedisClusterClient cluster) {
            return cluster(cluster, false, List.of());
        }
        if (RedisUris.isCluster(uri) && client == null) {
            List<RedisURI> nodes = RedisUris.ofCluster(uri);
            nodes.forEach(node -> node.setTimeout(timeToGreetANode()));
            ClientResources base = resources == null ? DefaultClientResources.create() : resources;
            ClientResources copy = reconnectingSoon(base);
            RedisClusterClient made = RedisClusterClient.create(copy, nodes);
            made.setOptions(clusterOptions());
            return cluster(made, true, resources == null ? List.of(copy, base) : List.of(copy));
        }
        RedisURI server = RedisUris.ofServer(uri);
        server.setTimeout(TO_GREET);
        prepareSentinels(server);
        if (client instanceof RedisClient given) {
            return server(given, server, false);
        }
        RedisClient made = resources == null ? RedisClient.create() : RedisClient.create(resources);
        made.setOptions(options(ClientOptions.builder().autoReconnect(false)).build());
        return server(made, server, true);
    }

    /** Sets the timeout of sentinels, and the password of the server: those without one accept any. */
    private void prepareSentinels(RedisURI server) {
        RedisCredentials known =
                server.getCredentialsProvider().resolveCredentials().block();
        RedisCredentials password =
                known != null && known.hasPassword() ? RedisCredentials.just(null, known.getPassword()) : null;
        for (RedisURI sentinel : server.getSentinels()) {
            sentinel.setTimeout(timeToGreetANode());
            if (password != null) {
                sentinel.setCredentialsProvider(RedisCredentialsProvider.from(() -> password));
            }
        }
    }

    /**
     * Returns how long a node or a sentinel may take to answer on a new connection: not long, because one that hangs delays each
     * refresh, and each search for the primary.
     */
    private Duration timeToGreetANode() {
        long nanos = TIMEOUTS_TO_GREET_A_NODE * timeoutNanos;
        return Duration.ofNanos(Math.max(MIN_NANOS_TO_GREET_A_NODE, Math.min(MAX_NANOS_TO_GREET_A_NODE, nanos)));
    }

    /**
     * Returns a copy of resources, with which a client reconnects to a node soon after it is back, and not up to 30 s later. When the
     * copy is shut down, what it has in common with the others is not.
     */
    private static ClientResources reconnectingSoon(ClientResources others) {
        return others.mutate()
                .reconnectDelay(Delay.exponential(Duration.ZERO, MAX_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
                .eventLoopGroupProvider(others.eventLoopGroupProvider())
                .eventExecutorGroup(others.eventExecutorGroup())
                .timer(others.timer())
                .commandLatencyRecorder(others.commandLatencyRecorder())
                .build();
    }

    private RedisConnection cluster(RedisClusterClient client, boolean own, List<ClientResources> ownResources) {
        return new ClusterConnection(client, own, ownResources, probe, events, timer, timeoutNanos);
    }

    private RedisConnection server(RedisClient client, RedisURI uri, boolean own) {
        return new ServerConnection(client, uri, own, probe, events, timer, timeoutNanos);
    }

    /** Returns options under which no request is repeated that may have run; deadlines are the store's. */
    private static ClientOptions.Builder options(ClientOptions.Builder builder) {
        LettuceCompatibility.disableMaintenanceNotifications(builder);
        return builder.replayFilter(command -> true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(
                        SocketOptions.builder().connectTimeout(TO_CONNECT).build());
    }

    /** Returns the options of a client that connects to the nodes itself and learns from errors where slots have moved. */
    @SuppressWarnings("deprecation") // these are the defaults of Lettuce 7, not those of Lettuce 6
    private static ClusterClientOptions clusterOptions() {
        ClusterClientOptions.Builder builder =
                ClusterClientOptions.builder(); // one made of other options loses some of them
        options(builder);
        return builder.validateClusterNodeMembership(false)
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enableAllAdaptiveRefreshTriggers()
                        .adaptiveRefreshTriggersTimeout(TO_CONNECT)
                        .build())
                .build();
    }
}
