package dev.weir.benchmarks.memory;

import org.jspecify.annotations.Nullable;

/**
 * One thing to measure: a scenario, by a number of threads, under a garbage collector.
 *
 * @param contestant the limiter; null for a floor
 */
record Measure(Scenario scenario, @Nullable Contestant contestant, int threads, Collector collector) {

    /** A garbage collector of the JVM. */
    enum Collector {
        /** The default on a server. */
        G1,
        /** The one with the cheapest write barrier that uses more than one thread. */
        PARALLEL;

        String title() {
            return this == G1 ? "G1" : "Parallel";
        }

        String option() {
            return "-XX:+Use" + title() + "GC";
        }
    }

    /** What has to have happened in a scenario for its name to be true. */
    enum Expectation {
        /** No request was decided. */
        NOTHING,
        /** Every request was admitted. */
        ALL_ALLOWED,
        /** Some requests were admitted and some denied. */
        SOME_OF_EACH,
        /** Every request was denied. */
        ALL_DENIED;

        boolean holds(long allowed, long denied) {
            return switch (this) {
                case NOTHING -> allowed == 0 && denied == 0;
                case ALL_ALLOWED -> allowed > 0 && denied == 0;
                case SOME_OF_EACH -> allowed > 0 && denied > 0;
                case ALL_DENIED -> allowed == 0 && denied > 0;
            };
        }
    }

    /**
     * What one fork measured.
     *
     * @param nanos the mean time of a call
     * @param bytes allocated in a call
     * @param allowed the number of admitted requests
     * @param denied the number of denied requests
     * @param p999 the time in nanoseconds that one call in 1,000 exceeds; without meaning if calls were not timed one by one
     * @param p9999 the time that one call in 10,000 exceeds
     * @param longest the time of the longest call
     */
    record Sample(double nanos, double bytes, long allowed, long denied, double p999, double p9999, double longest) {}

    /** Returns the same measure of another limiter. */
    Measure by(@Nullable Contestant other) {
        return new Measure(scenario, other, threads, collector);
    }

    /** Returns the number of threads with its unit. */
    String threadsText() {
        return threads + (threads == 1 ? " thread" : " threads");
    }

    @Override
    public String toString() {
        String limiter = contestant == null ? "" : contestant.title + ", ";
        return scenario.title + ": " + limiter + threadsText() + ", " + collector.title();
    }
}
