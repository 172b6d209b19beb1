package dev.weir.benchmarks.limiter;

import dev.weir.Limit;
import dev.weir.Limits;
import java.util.Arrays;
import java.util.List;

/** Who is measured. */
public enum Contestant {
    /** Weir. */
    WEIR("Weir"),
    /** Bucket4j, the only peer that can hold two limits at once. */
    BUCKET4J("Bucket4j"),
    /** Resilience4j. */
    RESILIENCE4J("Resilience4j"),
    /** Guava, whose clock counts microseconds. */
    GUAVA("Guava"),
    /** Failsafe. */
    FAILSAFE("Failsafe");

    private static final long NANOS_PER_MICRO = 1_000;

    private final String title;

    Contestant(String title) {
        this.title = title;
    }

    /** Everyone but Weir. */
    public static List<Contestant> peers() {
        return Arrays.stream(values()).filter(one -> one != WEIR).toList();
    }

    /** The name as its makers write it. */
    public String title() {
        return title;
    }

    /** The most permits in a window that this one can hold to: beyond it denies nothing. */
    public long mostPermits(long windowNanos) {
        return this == GUAVA ? windowNanos / NANOS_PER_MICRO : Integer.MAX_VALUE;
    }

    /** A new limiter with these limits. */
    public Limiter make(Limits limits) {
        return switch (this) {
            case WEIR -> new WeirLimiter(limits);
            case BUCKET4J -> new Bucket4jLimiter(limits);
            case RESILIENCE4J -> new Resilience4jLimiter(only(limits));
            case GUAVA -> new GuavaLimiter(only(limits));
            case FAILSAFE -> new FailsafeLimiter(only(limits));
        };
    }

    private Limit only(Limits limits) {
        List<Limit> list = limits.list();
        if (list.size() != 1) {
            throw new IllegalArgumentException(title + " can hold one limit only, was given " + list);
        }
        return list.get(0);
    }
}
