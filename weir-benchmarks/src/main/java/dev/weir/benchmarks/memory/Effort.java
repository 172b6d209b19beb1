package dev.weir.benchmarks.memory;

/**
 * How long to measure: the number of forks of each measure, and what each fork does. The warm-up is longer than the window of the
 * limits, a second: when the first permits expire, the compiler starts again. With several threads it is longer still, because
 * they take the cores that the compiler needs.
 */
public enum Effort {
    /** Shows that everything runs; its figures mean nothing. */
    SMOKE(1, 1, 1, 1, 1, 100),
    /** The goals only. */
    QUICK(3, 2, 6, 16, 3, 300),
    /** Everything. */
    FULL(3, 3, 5, 12, 4, 400);

    private final int rounds;
    private final int roundsOfManyKeys;
    private final int warmups;
    private final int warmupsOfThreads;
    final int iterations;
    final long iterationMillis;

    Effort(int rounds, int roundsOfManyKeys, int warmups, int warmupsOfThreads, int iterations, long iterationMillis) {
        this.rounds = rounds;
        this.roundsOfManyKeys = roundsOfManyKeys;
        this.warmups = warmups;
        this.warmupsOfThreads = warmupsOfThreads;
        this.iterations = iterations;
        this.iterationMillis = iterationMillis;
    }

    /** Returns the number of iterations before the measurement. */
    int warmups(int threads) {
        return threads > 1 ? warmupsOfThreads : warmups;
    }

    /** Returns the number of forks of each measure. */
    int rounds(Scenario scenario) {
        return scenario.keys() > 0 ? roundsOfManyKeys : rounds;
    }
}
