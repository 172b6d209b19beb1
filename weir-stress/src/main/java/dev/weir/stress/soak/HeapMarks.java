package dev.weir.stress.soak;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * The heap in use after a collection. While threads decide it follows their speed, since the permits of a second are held for a
 * window; so the heap at rest is compared, when every key has been removed from the store.
 */
final class HeapMarks {
    private static final int GROWTH_PERCENT = 10;
    private static final long SLACK_BYTES = 2 << 20;
    private static final double MEGA = 1 << 20;

    private long mostBusy;
    private long firstRest;
    private long lastRest;
    private int rests;

    /** Returns the heap in use after a collection. */
    static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Takes a mark while threads decide. */
    void takeBusy() {
        mostBusy = Math.max(mostBusy, used());
    }

    /** Takes a mark at rest. */
    void takeAtRest(long bytes) {
        firstRest = rests++ == 0 ? bytes : firstRest;
        lastRest = bytes;
    }

    /** Whether the last rest holds at most a tenth and 2 MB more than the first; true if there was only one. */
    boolean isFlat() {
        return rests < 2 || lastRest <= firstRest + firstRest * GROWTH_PERCENT / 100 + SLACK_BYTES;
    }

    @Override
    public String toString() {
        if (rests < 2) {
            return "not compared, the run was too short";
        }
        return String.format(
                Locale.ROOT,
                "at rest %.1f MB after a third of the run, %.1f MB at its end: %s; at most %.1f MB while deciding",
                firstRest / MEGA,
                lastRest / MEGA,
                isFlat() ? "flat" : "it grows",
                mostBusy / MEGA);
    }
}
