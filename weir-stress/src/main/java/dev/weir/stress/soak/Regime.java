package dev.weir.stress.soak;

import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.store.Store;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A limiter, the limits it alternates between, and the requests for it.
 *
 * @param limiter the limiter
 * @param variants its limits; all have as many, and under the same names
 * @param mostPermits the most permits of a request
 * @param waitMillis the longest wait of a request that may wait; 0 if none may
 * @param joint whether requests may be decided together with one of the shared keys
 */
record Regime(RateLimiter limiter, List<Limits> variants, int mostPermits, int waitMillis, boolean joint) {

    /** All regimes on a store; the last is that of the shared keys. Variants are separated by commas. */
    static List<Regime> all(Store store) {
        return List.of(
                of(store, "plain", 1, 0, true, "5/500ms, 9/500ms, 3/500ms, 5/200ms, 5/1s"),
                of(
                        store,
                        "coarse",
                        4,
                        0,
                        false,
                        "20/400ms resolution=20ms, 30/400ms resolution=20ms, 20/250ms resolution=20ms,"
                                + " 20/400ms resolution=3ms"),
                of(
                        store,
                        "buckets",
                        2,
                        100,
                        false,
                        "sliding-window 10/300ms, sliding-window 6/300ms, sliding-window 12/700ms buckets=20"),
                of(
                        store,
                        "pair",
                        3,
                        0,
                        true,
                        "5/100ms name=burst;25/2s name=steady, 9/100ms name=burst;25/2s name=steady,"
                                + " 5/150ms name=burst;40/3s name=steady"),
                of(store, "busy", 1, 0, false, "100/100ms, 60/100ms, 140/100ms, 100/250ms"),
                of(store, "queue", 3, 300, true, "20/200ms, 30/200ms, 12/200ms, 20/400ms"),
                of(store, "slow", 2, 1000, false, "40/5s, 60/5s, 40/3s"),
                of(store, "shared", 5, 50, false, "200/500ms, 150/500ms, 300/1s"));
    }

    private static Regime of(
            Store store, String name, int mostPermits, int waitMillis, boolean joint, String variants) {
        List<Limits> limits = Stream.of(variants.split(", ", -1))
                .map(text -> Limits.parse(text.split(";", -1)))
                .toList();
        RateLimiter limiter = RateLimiter.builder()
                .name(name)
                .store(store)
                .limits(limits.get(0))
                .build();
        return new Regime(limiter, limits, mostPermits, waitMillis, joint);
    }

    /** Changes the limits to others, or to the same again. */
    void change(RandomGenerator random) {
        limiter.changeLimits(variants.get(random.nextInt(variants.size())));
    }

    /** Returns the number of limits of a key. */
    int limits() {
        return variants.get(0).list().size();
    }

    /** Returns the longest window that a limit ever has, and what rounding to ticks may add. */
    long widest(int limit) {
        return variants.stream()
                .map(variant -> variant.list().get(limit))
                .mapToLong(each -> each.windowNanos() + 2 * DecisionCheck.tick(each))
                .max()
                .orElseThrow();
    }
}
