package dev.weir.benchmarks.memory;

/**
 * How long to measure: the number of forks of each measure, and what each fork does. The warm-up is longer than the window of the
 * limits, a second: when the first permits expire, the compiler starts again.
 */
public enum Effort {
    /** Shows that everything runs; its figures mean nothing. */
    SMOKE(1, 1, 1, 1, 100),
    /** The goals only. */
    QUICK(3, 2, 6, 3, 300),
    /** Everything. */
    FULL(3, 3, 5, 4, 400);

    private final int rounds;
    private final int roundsOfManyKeys;
    final int warmups;
    final int iterations;
    final long iterationMillis;

    Effort(int rounds, int roundsOfManyKeys, int warmups, int iterations, long iterationMillis) {
        this.rounds = rounds;
        this.roundsOfManyKeys = roundsOfManyKeys;
        this.warmups = warmups;
        this.iterations = iterations;
        this.iterationMillis = iterationMillis;
    }

    /** Returns the number of forks of each measure. */
    int rounds(Scenario scenario) {
        return scenario.keys() > 0 ? roundsOfManyKeys : rounds;
    }
}
