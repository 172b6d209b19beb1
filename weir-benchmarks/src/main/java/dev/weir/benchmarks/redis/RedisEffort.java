package dev.weir.benchmarks.redis;

/**
 * How long to measure.
 *
 * @param rounds with many requests in flight
 * @param warmMillis of a round with many requests in flight, before it counts
 * @param millis of the rest
 * @param deniedMillis of requests for a denied key
 * @param calls of each contestant in a round with one request at a time
 * @param entries of the log whose memory is measured
 * @param waitingSeconds of the processes that wait
 */
public record RedisEffort(
        int rounds,
        int warmMillis,
        int millis,
        int deniedMillis,
        int calls,
        int keys,
        int entries,
        int waitingSeconds) {
    /** Shows that everything runs; its figures mean nothing. */
    public static final RedisEffort SMOKE = new RedisEffort(1, 100, 200, 600, 50, 100, 1_000, 4);
    /** Less than ten minutes. */
    public static final RedisEffort QUICK = new RedisEffort(7, 500, 1_500, 2_500, 1_000, 10_000, 100_000, 10);
    /** A quarter of an hour. */
    public static final RedisEffort FULL = new RedisEffort(15, 1_000, 3_000, 4_500, 2_000, 10_000, 100_000, 30);

    /** Returns the number of rounds with one request at a time, which are short. */
    int syncRounds() {
        return 3 * rounds;
    }
}
