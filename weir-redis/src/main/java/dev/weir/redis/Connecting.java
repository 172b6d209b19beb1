package dev.weir.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the servers that a URI names, or that an existing client is connected to.
 *
 * @param callbacks runs dependent stages of results that fail, which must not run on the thread of deadlines
 */
record Connecting(Link link, Executor callbacks) {
    private static final String CLUSTER = "redis-cluster://";
    private static final String TLS_CLUSTER = "rediss-cluster://";
    private static final Duration TO_CONNECT = Duration.ofSeconds(1);
    private static final Duration TO_GREET = Duration.ofSeconds(Circuit.PROBE_SECONDS);

    /** Returns the URI if it is valid. */
    static String checked(String uri) {
        try {
            if (isCluster(Objects.requireNonNull(uri, "uri must not be null"))) {
                clusterUris(uri).forEach(Connecting::checkHost);
            } else {
                RedisURI parsed = RedisURI.create(uri);
                if (parsed.getSocket() != null) { // it needs native libraries
                    throw new IllegalArgumentException("sockets of files");
                }
                if (parsed.getSentinels().isEmpty()) {
                    checkHost(parsed);
                }
                parsed.getSentinels().forEach(Connecting::checkHost);
            }
            return uri;
        } catch (IllegalArgumentException | NullPointerException unreadable) {
            throw new IllegalArgumentException( // without the cause, which shows the password
                    "uri must be like redis://host:6379, rediss://, redis-sentinel://host:26379/0#name or"
                            + " redis-cluster://host:7000,host:7001; it is none of these");
        }
    }

    /** A port that is not a number would be read as a part of the host; an IPv6 address has at least two colons. */
    private static void checkHost(RedisURI server) {
        String host = server.getHost();
        if (host == null || host.isEmpty() || host.chars().filter(c -> c == ':').count() == 1) {
            throw new IllegalArgumentException("host");
        }
    }

    /** Returns the client if it does not repeat requests that may have run. */
    static RedisClusterClient checked(RedisClusterClient client) {
        ClientOptions options = client.getOptions();
        Command<byte[], byte[], String> script =
                new Command<>(CommandType.EVALSHA, new StatusOutput<>(ByteArrayCodec.INSTANCE));
        if (options.isAutoReconnect() && !options.getReplayFilter().test(script)) {
            throw new IllegalArgumentException(
                    "client must not repeat requests after a reconnect, which would count them twice; set the option"
                            + " replayFilter(command -> true) or autoReconnect(false)");
        }
        return client;
    }

    static Connecting to(String uri, @Nullable AbstractRedisClient client, EventThread events) {
        if (client instanceof RedisClusterClient cluster) {
            return new Connecting(new ClusterLink(cluster, false, events), callbacks(client));
        }
        if (isCluster(uri) && client == null) {
            RedisClusterClient made = RedisClusterClient.create(clusterUris(uri));
            made.setOptions(clusterOptions());
            return new Connecting(new ClusterLink(made, true, events), callbacks(made));
        }
        RedisURI server = RedisURI.create(uri);
        server.setTimeout(TO_GREET);
        if (client instanceof RedisClient given) {
            return new Connecting(new ServerLink(given, server, false, events), callbacks(given));
        }
        RedisClient made = RedisClient.create();
        made.setOptions(options(ClientOptions.builder().autoReconnect(false)).build());
        return new Connecting(new ServerLink(made, server, true, events), callbacks(made));
    }

    private static Executor callbacks(AbstractRedisClient client) {
        Executor executor = client.getResources().eventExecutorGroup();
        return task -> {
            try {
                executor.execute(task);
            } catch (RejectedExecutionException closed) {
                task.run();
            }
        };
    }

    private static boolean isCluster(String uri) {
        return uri.startsWith(CLUSTER) || uri.startsWith(TLS_CLUSTER);
    }

    private static List<RedisURI> clusterUris(String uri) {
        String scheme = uri.startsWith(TLS_CLUSTER) ? "rediss://" : "redis://";
        List<RedisURI> uris =
                RedisClusterURIUtil.toRedisURIs(URI.create(scheme + uri.substring(uri.indexOf("//") + 2)));
        uris.forEach(each -> each.setTimeout(TO_GREET));
        return uris;
    }

    private static ClientOptions.Builder options(ClientOptions.Builder builder) {
        return builder.replayFilter(command -> true) // requests that may have run are not repeated
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build()) // deadlines are the store's
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(
                        SocketOptions.builder().connectTimeout(TO_CONNECT).build());
    }

    /** Returns the options of a client that connects to the nodes itself and learns from errors where slots have moved. */
    private static ClusterClientOptions clusterOptions() {
        ClusterClientOptions.Builder builder =
                ClusterClientOptions.builder(); // one made of other options loses the filter
        options(builder);
        return builder.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .adaptiveRefreshTriggersTimeout(TO_CONNECT)
                        .build())
                .build();
    }
}
