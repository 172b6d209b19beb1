package dev.weir.benchmarks.redis;

import dev.weir.Limit;
import dev.weir.redis.RedisStore;
import dev.weir.testing.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.logging.LogManager;

/** Redisson and Weir on a server of their own, for a comparison that other packages make. */
public final class RemoteGroup implements AutoCloseable {
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<RemoteClient> clients = new ArrayList<>();
    private final String serverVersion;

    /**
     * Starts a server and connects to it.
     *
     * @throws dev.weir.benchmarks.report.FailedMeasureException if it does not start
     */
    public RemoteGroup() {
        LogManager.getLogManager().reset(); // a failure is reported once, by this program
        RedisServer server = RedisServer.start();
        opened.add(server);
        clients.add(RemoteClient.redisson(server.uri()));
        clients.add(RemoteClient.weir(RedisStore.builder(server.uri())));
        opened.addAll(0, clients); // closed before the server
        try (ServerCounters counters = new ServerCounters(server.uri())) {
            serverVersion = counters.version();
        }
    }

    /** Returns the version of the server. */
    public String serverVersion() {
        return serverVersion;
    }

    /** Returns a limiter of Redisson and one of Weir for some keys. Each requests a permit of a key by its number. */
    public List<IntPredicate> limiters(Limit limit, List<String> keys) {
        return clients.stream()
                .<IntPredicate>map(client -> client.limiter(limit, keys)::acquire)
                .toList();
    }

    @Override
    public void close() {
        for (AutoCloseable each : opened) {
            try {
                each.close();
            } catch (Exception failure) {
                throw new IllegalStateException("cannot be closed: " + failure, failure);
            }
        }
    }
}
