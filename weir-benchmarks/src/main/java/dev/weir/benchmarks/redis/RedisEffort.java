package dev.weir.benchmarks.redis;

/** How long to measure. */
public enum RedisEffort {
    /** Shows that everything runs; its figures mean nothing. */
    SMOKE(1, 100, 200, 600, 50, 100, 1_000, 4),
    /** Less than ten minutes. */
    QUICK(7, 500, 1_500, 2_500, 1_000, 10_000, 100_000, 10),
    /** A quarter of an hour. */
    FULL(15, 1_000, 3_000, 4_500, 2_000, 10_000, 100_000, 30);

    final int rounds; // with many requests in flight
    final int syncRounds; // with one request at a time, which are short
    final int warmMillis; // of a round with many requests in flight, before it counts
    final int millis; // of the rest
    final int deniedMillis; // of requests for a denied key
    final int calls; // of each contestant in a round with one request at a time
    final int keys;
    final int entries; // of the log whose memory is measured
    final int waitingSeconds; // of the processes that wait

    RedisEffort(
            int rounds,
            int warmMillis,
            int millis,
            int deniedMillis,
            int calls,
            int keys,
            int entries,
            int waitingSeconds) {
        this.rounds = rounds;
        this.syncRounds = 3 * rounds;
        this.warmMillis = warmMillis;
        this.millis = millis;
        this.deniedMillis = deniedMillis;
        this.calls = calls;
        this.keys = keys;
        this.entries = entries;
        this.waitingSeconds = waitingSeconds;
    }
}
