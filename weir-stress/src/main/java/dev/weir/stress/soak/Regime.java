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

    /** The name, the most permits, the longest wait, whether requests may be joint, and the variants, separated by commas. */
    private static final String ALL = """
            plain   1    0 joint  5/500ms, 9/500ms, 3/500ms, 5/200ms, 5/1s
            coarse  4    0 single 20/400ms resolution=20ms, 30/400ms resolution=20ms, 20/250ms resolution=20ms, \
            20/400ms resolution=3ms
            buckets 2  100 single sliding-window 10/300ms, sliding-window 6/300ms, sliding-window 12/700ms buckets=20
            pair    3    0 joint  5/100ms name=burst;25/2s name=steady, 9/100ms name=burst;25/2s name=steady, \
            5/150ms name=burst;40/3s name=steady
            busy    1    0 single 100/100ms, 60/100ms, 140/100ms, 100/250ms
            queue   3  300 joint  20/200ms, 30/200ms, 12/200ms, 20/400ms
            slow    2 1000 single 40/5s, 60/5s, 40/3s
            shared  5   50 single 200/500ms, 150/500ms, 300/1s
            """;

    /** All regimes on a store; the last is that of the shared keys. */
    static List<Regime> all(Store store) {
        return ALL.lines().map(line -> of(store, line.split(" +", 5))).toList();
    }

    private static Regime of(Store store, String... row) {
        List<Limits> limits = Stream.of(row[4].split(", ", -1))
                .map(text -> Limits.parse(text.split(";", -1)))
                .toList();
        RateLimiter limiter = RateLimiter.builder()
                .name(row[0])
                .store(store)
                .limits(limits.get(0))
                .build();
        boolean joint = row[3].equals("joint");
        return new Regime(limiter, limits, Integer.parseInt(row[1]), Integer.parseInt(row[2]), joint);
    }

    /** Changes the limits to others, or to the same again. */
    void change(RandomGenerator random) {
        limiter.changeLimits(variants.get(random.nextInt(variants.size())));
    }

    /** Returns the longest window that a limit ever has, and what rounding to ticks may add. */
    long widest(int limit) {
        return variants.stream()
                .map(variant -> variant.list().get(limit))
                .mapToLong(each -> each.windowNanos() + 2 * each.accounting().tickNanos())
                .max()
                .orElseThrow();
    }
}
