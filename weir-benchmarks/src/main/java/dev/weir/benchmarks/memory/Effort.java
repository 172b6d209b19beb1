package dev.weir.benchmarks.memory;

/**
 * How long to measure: the number of forks of each measure, and what each fork does. The warm-up is longer than the window of the
 * limits, a second: when the first permits expire, the compiler starts again. With several threads it is longer still, because
 * they take the cores that the compiler needs.
 */
public record Effort(
        int rounds, int roundsOfManyKeys, int warmups, int warmupsOfThreads, int iterations, long iterationMillis) {
    /** Shows that everything runs; its figures mean nothing. */
    public static final Effort SMOKE = new Effort(1, 1, 1, 1, 1, 100);
    /** The goals only. */
    public static final Effort QUICK = new Effort(3, 2, 6, 16, 3, 300);
    /** Everything. */
    public static final Effort FULL = new Effort(3, 3, 5, 12, 4, 400);

    /** Returns the number of iterations before the measurement: twice as many where the limit follows the speed. */
    int warmups(Measure measure) {
        int usual = measure.threads() > 1 ? warmupsOfThreads : warmups;
        return measure.scenario() == Scenario.AT_LIMIT ? 2 * usual : usual;
    }

    /** Returns the number of forks of each measure. */
    int rounds(Scenario scenario) {
        return scenario.keys() > 0 ? roundsOfManyKeys : rounds;
    }
}
