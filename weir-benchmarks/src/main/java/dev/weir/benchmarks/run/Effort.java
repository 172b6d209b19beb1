package dev.weir.benchmarks.run;

/** How long it is measured: how many forks of each, and what each fork does. */
public enum Effort {
    /** Shows that everything runs; its figures mean nothing. */
    SMOKE(1, 1, 1, 100),
    /** The goals only. */
    QUICK(3, 3, 3, 300),
    /** Everything. */
    FULL(3, 3, 4, 400);

    private static final long START_MILLIS = 1_000;
    private static final long FILL_MILLIS = 5_000;

    private final int rounds;
    private final int warmups;
    private final int iterations;
    private final long iterationMillis;

    Effort(int rounds, int warmups, int iterations, long iterationMillis) {
        this.rounds = rounds;
        this.warmups = warmups;
        this.iterations = iterations;
        this.iterationMillis = iterationMillis;
    }

    /** Forks of each measure. */
    public int rounds() {
        return rounds;
    }

    /** Iterations of a fork before it measures. */
    public int warmups() {
        return warmups;
    }

    /** Iterations that a fork measures. */
    public int iterations() {
        return iterations;
    }

    /** How long an iteration takes. */
    public long iterationMillis() {
        return iterationMillis;
    }

    /** About how long a fork takes. */
    public long forkMillis(Scenario scenario) {
        return START_MILLIS + (scenario.fillsKeys() ? FILL_MILLIS : 0) + (warmups + iterations) * iterationMillis;
    }
}
