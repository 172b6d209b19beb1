package dev.weir.algorithm.offender;

/** Breaks a rule: the time is an argument of an algorithm. */
public final class ReadsTheClock {
    private ReadsTheClock() {}

    /** The time, which it must not know. */
    public static long now() {
        return System.nanoTime();
    }
}
