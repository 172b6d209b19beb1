package dev.weir.benchmarks.server;

/** How long to measure. */
public enum ServerEffort {
    /** Shows that everything runs; its figures mean nothing. */
    SMOKE(1, 200, 1, 200, 2, 1_000),
    /** About four minutes; random keys take one minute. */
    QUICK(7, 2_000, 5, 4_000, 60, 1_000_000),
    /** A quarter of an hour; random keys take five minutes. */
    FULL(15, 5_000, 5, 15_000, 300, 1_000_000);

    final int rounds; // of each contestant, many calls in flight
    final int millis; // of a round
    final int latencyRuns;
    final int latencyMillis;
    final int randomKeySeconds;
    final int randomKeysPerMinute;

    ServerEffort(
            int rounds, int millis, int latencyRuns, int latencyMillis, int randomKeySeconds, int randomKeysPerMinute) {
        this.rounds = rounds;
        this.millis = millis;
        this.latencyRuns = latencyRuns;
        this.latencyMillis = latencyMillis;
        this.randomKeySeconds = randomKeySeconds;
        this.randomKeysPerMinute = randomKeysPerMinute;
    }

    /** Returns whether the server and the load have cores of their own. A smoke run shares its JVM with tests. */
    boolean pinned() {
        return this != SMOKE;
    }
}
