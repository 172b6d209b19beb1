package dev.weir.redis;

import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Three primaries that share the slots, each a third in turn. */
final class RedisCluster implements AutoCloseable {
    private static final int SLOTS = 16_384;
    private static final int NODES = 3;

    private final List<RedisServer> nodes = new ArrayList<>();

    private RedisCluster() {}

    static RedisCluster start(Path binary) {
        RedisCluster cluster = new RedisCluster();
        try {
            for (int i = 0; i < NODES; i++) {
                cluster.nodes.add(startNode(binary));
            }
            cluster.join();
            return cluster;
        } catch (RuntimeException | Error failure) {
            cluster.close();
            throw failure;
        }
    }

    private static RedisServer startNode(Path binary) {
        return RedisServer.start(binary, "--cluster-enabled", "yes", "--cluster-node-timeout", "2000");
    }

    private void join() {
        for (int i = 0; i < NODES; i++) {
            List<String> addSlots = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            for (int slot = SLOTS * i / NODES; slot < SLOTS * (i + 1) / NODES; slot++) {
                addSlots.add(Integer.toString(slot));
            }
            nodes.get(i).command(addSlots.toArray(String[]::new));
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            for (RedisServer other : nodes.subList(0, i)) {
                nodes.get(i).command("CLUSTER", "MEET", "127.0.0.1", port(other));
            }
        }
        awaitServing();
    }

    /** Waits until all nodes serve; those that are paused are resumed. */
    void awaitServing() {
        nodes.forEach(RedisServer::resume);
        Await.until("a cluster", () -> nodes.stream().allMatch(RedisCluster::knowsAll));
    }

    private static boolean serves(RedisServer node) {
        return RedisServer.field((String) node.command("CLUSTER", "INFO"), "cluster_state")
                .equals("ok");
    }

    private static boolean knowsAll(RedisServer node) {
        String info = (String) node.command("CLUSTER", "INFO");
        return serves(node)
                && RedisServer.field(info, "cluster_slots_ok").equals(Integer.toString(SLOTS))
                && RedisServer.field(info, "cluster_known_nodes").equals(Integer.toString(NODES));
    }

    List<RedisServer> nodes() {
        return nodes;
    }

    String uri() {
        return "redis-cluster://"
                + nodes.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
    }

    /** Adds a primary without slots. */
    RedisServer addNode(Path binary) {
        RedisServer added = startNode(binary);
        String id = (String) added.command("CLUSTER", "MYID");
        for (RedisServer node : nodes) {
            added.command("CLUSTER", "MEET", "127.0.0.1", port(node));
        }
        Await.until(
                "that all nodes know the new one",
                () -> nodes.stream().allMatch(node -> ((String) node.command("CLUSTER", "NODES")).contains(id)));
        Await.until("that the new node serves", () -> serves(added));
        nodes.add(added);
        return added;
    }

    /** Adds a replica of a node, which is in sync. */
    RedisServer addReplica(Path binary, RedisServer primary) {
        RedisServer replica = addNode(binary);
        primary.command("CONFIG", "SET", "repl-diskless-sync-delay", "0");
        String id = (String) primary.command("CLUSTER", "MYID");
        Await.until("the nodes", () -> ((String) replica.command("CLUSTER", "NODES")).contains(id));
        replica.command("CLUSTER", "REPLICATE", id);
        Await.until(
                "a replica",
                () -> replica.info("replication", "master_link_status").equals("up"));
        Await.until(
                "that all nodes know the new one",
                () -> nodes.stream()
                        .allMatch(node -> ((String) node.command("CLUSTER", "NODES")).contains("slave " + id)));
        return replica;
    }

    /** Lets a primary forget all others, so that it refuses requests and does not learn who serves its slots. */
    void cutOff(RedisServer primary) {
        for (RedisServer other : nodes) {
            if (other != primary) {
                primary.command("CLUSTER", "FORGET", (String) other.command("CLUSTER", "MYID"));
            }
        }
        Await.until("a cluster that is down", () -> !serves(primary));
    }

    int slot(String redisKey) {
        return Math.toIntExact((Long) nodes.get(0).command("CLUSTER", "KEYSLOT", redisKey));
    }

    /** Returns the node that has a slot according to its own view. */
    RedisServer owner(int slot) {
        return nodes.stream().filter(node -> has(node, slot)).findFirst().orElseThrow();
    }

    private static boolean has(RedisServer node, int slot) {
        for (Object range : (List<?>) node.command("CLUSTER", "SLOTS")) {
            List<?> parts = (List<?>) range;
            long port = (Long) ((List<?>) parts.get(2)).get(1);
            if (port == node.port() && (Long) parts.get(0) <= slot && slot <= (Long) parts.get(1)) {
                return true;
            }
        }
        return false;
    }

    /** Returns another node than the given one. */
    RedisServer other(RedisServer node) {
        return nodes.get((nodes.indexOf(node) + 1) % NODES);
    }

    /** Starts to move a slot, which serves meanwhile. */
    Move move(int slot, RedisServer to) {
        return new Move(slot, owner(slot), to);
    }

    /** A slot that is being moved. New keys are created at its destination. */
    static final class Move {
        private final String slot;
        private final RedisServer from;
        private final RedisServer to;

        private Move(int slot, RedisServer from, RedisServer to) {
            this.slot = Integer.toString(slot);
            this.from = from;
            this.to = to;
            to.command("CLUSTER", "SETSLOT", this.slot, "IMPORTING", id(from));
            from.command("CLUSTER", "SETSLOT", this.slot, "MIGRATING", id(to));
        }

        /** Moves one Redis key. Returns false if there is none. */
        boolean oneKey() {
            List<?> keys = (List<?>) from.command("CLUSTER", "GETKEYSINSLOT", slot, "1");
            if (!keys.isEmpty()) {
                from.command("MIGRATE", "127.0.0.1", port(to), (String) keys.get(0), "0", "5000");
            }
            return !keys.isEmpty();
        }

        /** Moves the remaining keys. */
        void keys() {
            boolean more = true;
            while (more) {
                more = oneKey();
            }
        }

        /** Moves the remaining keys, and assigns the slot to its destination on both nodes. */
        void finish() {
            keys();
            to.command("CLUSTER", "SETSLOT", slot, "NODE", id(to));
            from.command("CLUSTER", "SETSLOT", slot, "NODE", id(to));
        }

        private static String id(RedisServer node) {
            return (String) node.command("CLUSTER", "MYID");
        }
    }

    private static String port(RedisServer node) {
        return Integer.toString(node.port());
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }
}
