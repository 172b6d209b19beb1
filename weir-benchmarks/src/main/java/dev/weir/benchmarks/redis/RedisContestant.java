package dev.weir.benchmarks.redis;

import dev.weir.redis.RedisStore;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import java.util.List;
import java.util.function.Function;

/** The limiters that are measured. */
enum RedisContestant {
    /** A {@code SET}, which limits nothing: the cost of one command. */
    SET("SET", RemoteClient::set),
    /** Weir. */
    WEIR("Weir", uri -> RemoteClient.weir(RedisStore.builder(uri))),
    /** The script of the textbooks. */
    ZSET("ZSET script", RemoteClient::zset),
    /** Redisson's {@code RRateLimiter}. */
    REDISSON("Redisson", RemoteClient::redisson),
    /** Bucket4j on Lettuce, as it is by default. */
    BUCKET4J("Bucket4j", uri -> RemoteClient.bucket4j(uri, "bucket4j:", Optimization.NONE_OPTIMIZED)),
    /** Bucket4j with its optimization for keys with many requests, which changes no decision: calls of one process share one. */
    BATCHING_BUCKET4J(
            "Bucket4j, batching", uri -> RemoteClient.bucket4j(uri, "batching-bucket4j:", Optimizations.batching()));

    /** The name as its makers write it. */
    final String title;

    @SuppressWarnings("ImmutableEnumChecker") // without state
    private final Function<String, RemoteClient> connecting;

    RedisContestant(String title, Function<String, RemoteClient> connecting) {
        this.title = title;
        this.connecting = connecting;
    }

    /** Returns all that limit. */
    static List<RedisContestant> limiters() {
        return List.of(WEIR, ZSET, REDISSON, BUCKET4J, BATCHING_BUCKET4J);
    }

    /** Connects to a server. */
    RemoteClient connect(String uri) {
        return connecting.apply(uri);
    }
}
