package dev.weir.benchmarks.limiter;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;

/**
 * Bucket4j: a local bucket a key, lock-free as by default, on the JVM's nanosecond clock, refilled greedily. {@code
 * tryConsume} is its fastest call: the one that also tells what remains makes an object for it.
 */
final class Bucket4jLimiter implements Limiter {
    private final Limits limits;
    private final Limit first;
    private final PerKey<Bucket> buckets = new PerKey<>(key -> bucket());

    Bucket4jLimiter(Limits limits) {
        this.limits = limits;
        first = limits.list().get(0);
    }

    private Bucket bucket() {
        LocalBucketBuilder builder = Bucket.builder().withNanosecondPrecision();
        for (Limit limit : limits.list()) {
            builder.addLimit(
                    bandwidth -> bandwidth.capacity(limit.permits()).refillGreedy(limit.permits(), limit.window()));
        }
        return builder.build();
    }

    @Override
    public Decision tryAcquire(String key) {
        return PerKey.decision(buckets.of(key).tryConsume(1), first);
    }

    @Override
    public Object state() {
        return buckets.state();
    }
}
