package dev.weir.benchmarks.report;

/** How long to measure. */
public enum Effort {
    /** Shows that everything runs; its figures mean nothing. */
    SMOKE,
    /** In at most 20 minutes. */
    QUICK,
    /** As long as the figures of the pages need. */
    FULL;

    /** Returns what this effort is in numbers. */
    public int of(int smoke, int quick, int full) {
        return switch (this) {
            case SMOKE -> smoke;
            case QUICK -> quick;
            case FULL -> full;
        };
    }

    /** Returns the option of the JVM for its compilers: only the fast one where figures mean nothing, else both, the default. */
    public String compiler() {
        return "-XX:TieredStopAtLevel=" + of(1, 4, 4);
    }
}
