package dev.weir.benchmarks.redis;

import java.util.List;

/** Who is measured. */
public enum RedisContestant {
    /** A {@code SET}, which limits nothing: what one command costs. */
    SET("SET"),
    /** Weir. */
    WEIR("Weir"),
    /** The script of the textbooks. */
    ZSET("ZSET script"),
    /** Redisson's {@code RRateLimiter}. */
    REDISSON("Redisson"),
    /** Bucket4j on Lettuce. */
    BUCKET4J("Bucket4j");

    private final String title;

    RedisContestant(String title) {
        this.title = title;
    }

    /** Everyone who limits. */
    static List<RedisContestant> limiters() {
        return List.of(WEIR, ZSET, REDISSON, BUCKET4J);
    }

    /** The name as its makers write it. */
    public String title() {
        return title;
    }

    /** Connects to a server. */
    RemoteClient connect(String uri) {
        return switch (this) {
            case SET -> new SetClient(uri);
            case WEIR -> WeirClient.usual(uri);
            case ZSET -> new ZsetClient(uri);
            case REDISSON -> new RedissonLimiters(uri);
            case BUCKET4J -> new Bucket4jClient(uri);
        };
    }
}
