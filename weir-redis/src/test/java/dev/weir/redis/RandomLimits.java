package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.Limits;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Random limits of each kind: in nanoseconds for memory, and scaled to microseconds for the server. */
final class RandomLimits {
    /** One limit of each kind. */
    static final List<Function<SplittableRandom, Limit>> KINDS = List.of(
            random -> log(permits(random), 20, 1 + random.nextInt(20)).margin(nanos(random.nextInt(3))),
            random -> log(permits(random), 20, 1 + random.nextInt(6)).count(Limit.SlidingLog.Count.ATTEMPTS),
            random -> window(permits(random), 20, 1 + random.nextInt(6)),
            random -> window(permits(random), 20, 1 + random.nextInt(6)).estimate(Limit.SlidingWindow.Estimate.CLASSIC),
            random -> Limit.fixedWindow(permits(random), nanos(10 + random.nextInt(20))),
            random -> Limit.fixedWindow(permits(random), nanos(10 + random.nextInt(20)))
                    .align(Limit.FixedWindow.Align.FIRST),
            random -> Limit.gcra(permits(random), nanos(5 + random.nextInt(20))).burst(1 + random.nextInt(4)),
            random -> Limit.tokenBucket(permits(random), nanos(5 + random.nextInt(20)))
                    .burst(1 + random.nextInt(8)),
            random -> Limit.leakyBucket(permits(random), nanos(5 + random.nextInt(20)))
                    .capacity(1 + random.nextInt(8)),
            random -> log(500 + random.nextInt(500), 700 + random.nextInt(800), 1),
            random -> log(1 + random.nextInt(50), 60, 1 + random.nextInt(3)).margin(nanos(random.nextInt(2))),
            random -> window(1 + random.nextInt(250), 400, 1 + random.nextInt(400)),
            random -> Limit.unlimited(),
            random -> log(1 + random.nextInt(30), 10 + random.nextInt(90), 1 + random.nextInt(10)),
            random -> window(1 + random.nextInt(30), 10 + random.nextInt(90), 1 + random.nextInt(9))
                    .estimate(Limit.SlidingWindow.Estimate.CLASSIC));

    /** One limit of most kinds, with windows from 2 us to five hours on the server and with up to 300,000 permits. */
    static final List<Function<SplittableRandom, Limit>> OF_ANY_SIZE = List.of(
            random -> log(manyPermits(random), anyLength(random), 1),
            random -> log(manyPermits(random), 30_000_000, 1 + random.nextInt(30_000_000)),
            random -> log(manyPermits(random), anyLength(random), 2).count(Limit.SlidingLog.Count.ATTEMPTS),
            random -> window(manyPermits(random), 2_000_000, 1 + random.nextInt(2_000)),
            random -> window(manyPermits(random), 2_000_000, 1 + random.nextInt(2_000))
                    .estimate(Limit.SlidingWindow.Estimate.CLASSIC),
            random -> Limit.fixedWindow(manyPermits(random), nanos(anyLength(random))),
            random -> Limit.fixedWindow(manyPermits(random), nanos(anyLength(random)))
                    .align(Limit.FixedWindow.Align.FIRST),
            random -> Limit.gcra(permits(random), nanos(anyLength(random))).burst(manyPermits(random)),
            random ->
                    Limit.leakyBucket(permits(random), nanos(anyLength(random))).capacity(manyPermits(random)));

    private RandomLimits() {}

    private static long manyPermits(SplittableRandom random) {
        return random.nextLong(1, 300_000 >> random.nextInt(18));
    }

    private static long anyLength(SplittableRandom random) {
        return 2 + random.nextLong(1L << random.nextInt(12, 35));
    }

    private static long permits(SplittableRandom random) {
        return random.nextLong(1, 8);
    }

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    private static Limit.SlidingLog log(long permits, long window, long resolution) {
        return Limit.slidingLog(permits, nanos(window)).resolution(nanos(resolution));
    }

    private static Limit.SlidingWindow window(long permits, long window, int buckets) {
        return Limit.slidingWindow(permits, nanos(window)).buckets(buckets);
    }

    /** Returns the same limits with durations a thousand times as long. */
    static Limits scaled(Limits limits) {
        return Limits.of(limits.list().stream().map(RandomLimits::scaled).toArray(Limit[]::new));
    }

    /** Returns the same limit with durations a thousand times as long. */
    static Limit scaled(Limit limit) {
        return limit.name().isEmpty() ? unnamed(limit) : unnamed(limit).named(limit.name());
    }

    private static Limit unnamed(Limit limit) {
        Duration window = limit.window().multipliedBy(1_000);
        if (limit instanceof Limit.SlidingLog log) {
            return Limit.slidingLog(log.permits(), window)
                    .resolution(log.resolution().multipliedBy(1_000))
                    .count(log.count())
                    .margin(log.margin().multipliedBy(1_000));
        } else if (limit instanceof Limit.SlidingWindow sliding) {
            return Limit.slidingWindow(limit.permits(), window)
                    .buckets(sliding.buckets())
                    .estimate(sliding.estimate());
        } else if (limit instanceof Limit.FixedWindow fixed) {
            return Limit.fixedWindow(limit.permits(), window).align(fixed.align());
        } else if (limit instanceof Limit.TokenBucket bucket) {
            return Limit.tokenBucket(limit.permits(), window).burst(bucket.burst());
        } else if (limit instanceof Limit.LeakyBucket bucket) {
            return Limit.leakyBucket(limit.permits(), window).capacity(bucket.capacity());
        } else if (limit instanceof Limit.Unlimited) {
            return limit;
        }
        return Limit.gcra(limit.permits(), window).burst(((Limit.Gcra) limit).burst());
    }
}
