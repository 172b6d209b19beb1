package dev.weir.benchmarks.redis;

/** How long it is measured. */
public enum RedisEffort {
    /** Shows that everything runs; its figures mean nothing. */
    SMOKE(1, 100, 200, 600, 50, 100, 1_000),
    /** Under ten minutes. */
    QUICK(7, 500, 1_500, 2_500, 1_000, 10_000, 100_000),
    /** A quarter of an hour. */
    FULL(15, 1_000, 3_000, 4_500, 2_000, 10_000, 100_000);

    /** One-at-a-time rounds are so short that there can be so many times more of them. */
    private static final int SYNC_FACTOR = 3;

    private final int rounds;
    private final int warmMillis;
    private final int millis;
    private final int deniedMillis;
    private final int calls;
    private final int keys;
    private final int entries;

    RedisEffort(int rounds, int warmMillis, int millis, int deniedMillis, int calls, int keys, int entries) {
        this.rounds = rounds;
        this.warmMillis = warmMillis;
        this.millis = millis;
        this.deniedMillis = deniedMillis;
        this.calls = calls;
        this.keys = keys;
        this.entries = entries;
    }

    /** Rounds of the scenarios with many requests under way. */
    int rounds() {
        return rounds;
    }

    /** Rounds of the scenarios with one request at a time. */
    int syncRounds() {
        return SYNC_FACTOR * rounds;
    }

    /** How long requests are under way before it counts. */
    int warmMillis() {
        return warmMillis;
    }

    /** How long it counts. */
    int millis() {
        return millis;
    }

    /** How long a denied key is asked for again and again. */
    int deniedMillis() {
        return deniedMillis;
    }

    /** Calls of each contestant in a round with one request at a time. */
    int calls() {
        return calls;
    }

    /** Distinct keys. */
    int keys() {
        return keys;
    }

    /** Entries of the log whose memory is measured. */
    int entries() {
        return entries;
    }
}
