package dev.weir.benchmarks.server;

/**
 * How long to measure.
 *
 * @param rounds of each contestant, many calls in flight
 * @param millis of a round
 */
public record ServerEffort(
        int rounds, int millis, int latencyRuns, int latencyMillis, int randomKeySeconds, int randomKeysPerMinute) {
    /** Shows that everything runs; its figures mean nothing. */
    public static final ServerEffort SMOKE = new ServerEffort(1, 200, 1, 200, 2, 1_000);
    /** About four minutes; random keys take one minute. */
    public static final ServerEffort QUICK = new ServerEffort(7, 2_000, 5, 4_000, 60, 1_000_000);
    /** A quarter of an hour; random keys take five minutes. */
    public static final ServerEffort FULL = new ServerEffort(15, 5_000, 5, 15_000, 300, 1_000_000);

    /** Returns whether the server and the load have cores of their own. A smoke run shares its JVM with tests. */
    boolean pinned() {
        return !equals(SMOKE);
    }
}
