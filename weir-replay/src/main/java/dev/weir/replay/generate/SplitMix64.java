package dev.weir.replay.generate;

/**
 * Random numbers that are the same for a seed on every machine and JDK: Steele, Lea and Flood, "Fast Splittable
 * Pseudorandom Number Generators" (2014), with the constants of their mix 13. Here and not the library's, whose
 * numbers may change with its version.
 */
final class SplitMix64 {
    private static final long GAMMA = 0x9E3779B97F4A7C15L; // 2^64 by the golden ratio

    private long state;

    SplitMix64(long seed) {
        state = seed;
    }

    long next() {
        state += GAMMA;
        return mix(state);
    }

    static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** Returns a number from 0 to {@code bound - 1}, for bounds up to 2^31. */
    int below(int bound) {
        return (int) (((next() >>> 32) * bound) >>> 32);
    }

    /** Returns a number from {@code least} to {@code most}. */
    int between(int least, int most) {
        return least + below(most - least + 1);
    }

    boolean percent(int chance) {
        return below(100) < chance;
    }

    /** Returns the time to the next of events that come by chance. */
    long exponential(long mean) {
        double uniform = ((next() >>> 11) + 1) * 0x1p-53; // above 0, up to 1
        return (long) (-mean * StrictMath.log(uniform)); // strict: the same digits everywhere
    }
}
