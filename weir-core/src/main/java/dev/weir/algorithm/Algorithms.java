package dev.weir.algorithm;

import dev.weir.Limit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The algorithms of the kinds of limits. */
public final class Algorithms {
    private static final Map<Class<? extends Limit>, Function<? super Limit, Algorithm>> BY_KIND =
            new ConcurrentHashMap<>();

    static {
        register(Limit.SlidingLog.class, limit -> new SlidingLog((Limit.SlidingLog) limit));
        register(Limit.SlidingWindow.class, limit -> new SlidingWindow((Limit.SlidingWindow) limit));
        register(Limit.FixedWindow.class, limit -> new FixedWindow((Limit.FixedWindow) limit));
        register(Limit.TokenBucket.class, limit -> new TokenBucket((Limit.TokenBucket) limit));
        register(Limit.LeakyBucket.class, limit -> new LeakyBucket((Limit.LeakyBucket) limit));
        register(Limit.Gcra.class, limit -> new Gcra((Limit.Gcra) limit));
        register(Limit.Unlimited.class, Unlimited::new);
    }

    private Algorithms() {}

    /** Sets the algorithm of a kind of limit. */
    public static void register(Class<? extends Limit> kind, Function<? super Limit, Algorithm> algorithm) {
        BY_KIND.put(kind, algorithm);
    }

    /** Creates the algorithm of a limit. */
    public static Algorithm of(Limit limit) {
        Function<? super Limit, Algorithm> algorithm = BY_KIND.get(limit.getClass());
        if (algorithm == null) {
            throw new IllegalArgumentException("limit must be of a registered algorithm, was " + limit);
        }
        return algorithm.apply(limit);
    }
}
