package dev.weir.algorithm.offender;

/** Breaks a rule: an algorithm is told the time. */
public final class ReadsTheClock {
    private ReadsTheClock() {}

    /** The time, which it must not know. */
    public static long now() {
        return System.nanoTime();
    }
}
