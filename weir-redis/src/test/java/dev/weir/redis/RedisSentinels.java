package dev.weir.redis;

import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A primary, its replica and three sentinels, of which two suffice for a failover. */
final class RedisSentinels implements AutoCloseable {
    static final String NAME = "weir";
    private static final int SENTINELS = 3;

    private final List<RedisServer> sentinels = new ArrayList<>();
    private final RedisServer primary;
    private final RedisServer replica;

    private RedisSentinels(Path binary) {
        primary = RedisServer.start(binary);
        replica = RedisServer.start(
                binary,
                "--replicaof",
                "127.0.0.1",
                Integer.toString(primary.port()),
                "--repl-diskless-sync",
                "yes",
                "--repl-diskless-sync-delay",
                "0");
    }

    /** Starts the servers. A primary that does not answer for the given time is replaced. */
    static RedisSentinels start(Path binary, long downAfterMillis) {
        RedisSentinels all = new RedisSentinels(binary);
        try {
            all.watch(binary, downAfterMillis);
            return all;
        } catch (RuntimeException | Error failure) {
            all.close();
            throw failure;
        }
    }

    private void watch(Path binary, long downAfterMillis) {
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(RedisServer.sentinel(
                    binary,
                    List.of(
                            "sentinel monitor " + NAME + " 127.0.0.1 " + primary.port() + " 2",
                            "sentinel down-after-milliseconds " + NAME + " " + downAfterMillis,
                            "sentinel failover-timeout " + NAME + " 5000")));
        }
        Await.until(
                "a replica",
                () -> replica.info("replication", "master_link_status").equals("up"));
        Await.until(
                "sentinels that know each other and the replica",
                () -> sentinels.stream()
                        .allMatch(sentinel ->
                                known(sentinel, "num-slaves") == 1 && known(sentinel, "num-other-sentinels") == 2));
    }

    private static long known(RedisServer sentinel, String field) {
        List<?> fields = (List<?>) sentinel.command("SENTINEL", "MASTER", NAME);
        return Long.parseLong((String) fields.get(fields.indexOf(field) + 1));
    }

    String uri() {
        return "redis-sentinel://"
                + sentinels.stream()
                        .map(sentinel -> "127.0.0.1:" + sentinel.port())
                        .collect(Collectors.joining(","))
                + "/0#" + NAME;
    }

    /** Sets a password for the servers and the sentinels. No command can be sent to them without it from now on. */
    void setPassword(String password) {
        for (RedisServer server : List.of(primary, replica)) {
            server.command("CONFIG", "SET", "masterauth", password);
        }
        for (RedisServer sentinel : sentinels) {
            sentinel.command("SENTINEL", "SET", NAME, "auth-pass", password);
        }
        Stream.concat(sentinels.stream(), Stream.of(replica, primary))
                .forEach(each -> each.command("ACL", "SETUSER", "default", "resetpass", ">" + password));
    }

    /** Returns the sentinel to which clients connect first. */
    RedisServer firstSentinel() {
        return sentinels.get(0);
    }

    /** Returns the server that was the primary at the start. */
    RedisServer primary() {
        return primary;
    }

    /** Returns the server that was the replica at the start. */
    RedisServer replica() {
        return replica;
    }

    /** Ends the replication and prevents the replica from connecting again. */
    void stopReplication() {
        replica.command("CONFIG", "SET", "masterauth", "wrong");
        primary.command("CLIENT", "KILL", "TYPE", "replica");
        Await.until(
                "no replica",
                () -> primary.info("replication", "connected_slaves").equals("0"));
    }

    /** Waits until the replica has received everything that the primary has written so far. */
    void awaitReplication() {
        long offset = Long.parseLong(primary.info("replication", "master_repl_offset"));
        Await.until("replication", () -> Long.parseLong(replica.info("replication", "slave_repl_offset")) >= offset);
    }

    /** Waits until the replica is the primary according to itself and every sentinel. */
    void awaitFailover() {
        String port = Integer.toString(replica.port());
        Await.until(
                "a failover",
                () -> sentinels.stream().allMatch(sentinel -> {
                    List<?> address = (List<?>) sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME);
                    return address.get(1).equals(port);
                }));
        Await.until("a new primary", () -> replica.info("replication", "role").equals("master"));
    }

    @Override
    public void close() {
        Stream.concat(sentinels.stream(), Stream.of(replica, primary))
                .filter(Objects::nonNull)
                .forEach(RedisServer::close);
    }
}
