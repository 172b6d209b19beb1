package dev.weir.benchmarks.memory;

import java.util.Arrays;
import java.util.Random;

/** Arrivals as of a Poisson process of which it is known how many came: independent, evenly likely at any instant. */
final class Arrivals {
    private static final long SEED = 1;

    private Arrivals() {}

    /** So many instants within a span, in order; the same each time. */
    static long[] in(long spanNanos, int count) {
        Random random = new Random(SEED);
        long[] instants = new long[count];
        for (int i = 0; i < count; i++) {
            instants[i] = (long) (random.nextDouble() * spanNanos);
        }
        Arrays.sort(instants);
        return instants;
    }
}
