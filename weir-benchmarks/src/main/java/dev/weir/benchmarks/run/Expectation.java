package dev.weir.benchmarks.run;

/** What has to have happened in a scenario for its name to be true. */
public enum Expectation {
    /** Nothing was asked of a limiter. */
    NOTHING_ASKED,
    /** Every request passed. */
    ALL_ALLOWED,
    /** Some requests passed and some did not. */
    SOME_OF_EACH,
    /** No request passed. */
    ALL_DENIED;

    /** Whether it is so. */
    public boolean holds(long allowed, long denied) {
        return switch (this) {
            case NOTHING_ASKED -> allowed == 0 && denied == 0;
            case ALL_ALLOWED -> allowed > 0 && denied == 0;
            case SOME_OF_EACH -> allowed > 0 && denied > 0;
            case ALL_DENIED -> allowed == 0 && denied > 0;
        };
    }
}
