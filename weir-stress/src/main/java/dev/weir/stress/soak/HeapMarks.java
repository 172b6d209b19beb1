package dev.weir.stress.soak;

import java.lang.management.ManagementFactory;

/**
 * The heap in use after a collection. While threads decide it follows their pace, since what is booked a second is held for
 * a window; so what is compared is the heap at rest, when every key has left the store.
 */
final class HeapMarks {
    private static final int GROWTH_PERCENT = 10;
    private static final long SLACK_BYTES = 2 << 20;

    private long most;
    private long firstRest;
    private long lastRest;
    private int rests;

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Takes a mark while threads decide. */
    void takeBusy() {
        most = Math.max(most, used());
    }

    /** Takes a mark at rest. */
    void takeAtRest() {
        addAtRest(used());
    }

    /** Adds a mark that was taken at rest. */
    void addAtRest(long bytes) {
        firstRest = rests++ == 0 ? bytes : firstRest;
        lastRest = bytes;
    }

    /** Whether there were two rests to compare. */
    boolean canTell() {
        return rests > 1;
    }

    /** Whether the last rest holds no more than the first, but for a tenth and 2 MB; so too if that cannot be told. */
    boolean isFlat() {
        return !canTell() || lastRest <= firstRest + firstRest * GROWTH_PERCENT / 100 + SLACK_BYTES;
    }

    /** The largest mark while threads decided. */
    long most() {
        return most;
    }

    /** At the first rest. */
    long first() {
        return firstRest;
    }

    /** At the last rest. */
    long last() {
        return lastRest;
    }
}
