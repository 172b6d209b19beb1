package dev.weir.server.live;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one limit of a rule. The two counters are for any thread; all else belongs to the thread that samples.
 */
final class LimitRow {
    final int id;
    final String rule;
    final String limit;
    final String mode;
    final @Nullable Integer of;
    final LongAdder allowed = new LongAdder();
    final LongAdder denied = new LongAdder();
    final Ring allowedBefore = new Ring();
    final Ring deniedBefore = new Ring();
    final DistinctKeys deniedKeys = new DistinctKeys();
    private long allowedSeen;
    private long deniedSeen;
    private int allowedNow;
    private int deniedNow;
    private boolean changed;
    private long keysNow;
    private long lastActive;

    /**
     * Creates a row.
     *
     * @param id an identifier that no other row has
     * @param rule the name of the rule
     * @param limit the text of the limit
     * @param mode that of the rule
     * @param of the row that this one is compared with, if it is a candidate
     */
    LimitRow(int id, String rule, String limit, String mode, @Nullable Integer of) {
        this.id = id;
        this.rule = rule;
        this.limit = limit;
        this.mode = mode;
        this.of = of;
    }

    /** Reads the counters at the end of a second. */
    void sample(long second) {
        int allowedBefore = allowedNow;
        int deniedBefore = deniedNow;
        long keysBefore = keysNow;
        long allowedTotal = allowed.sum();
        long deniedTotal = denied.sum();
        allowedNow = (int) Math.min(Integer.MAX_VALUE, allowedTotal - allowedSeen);
        deniedNow = (int) Math.min(Integer.MAX_VALUE, deniedTotal - deniedSeen);
        allowedSeen = allowedTotal;
        deniedSeen = deniedTotal;
        this.allowedBefore.set(second, allowedNow);
        this.deniedBefore.set(second, deniedNow);
        deniedKeys.advance(second);
        keysNow = deniedKeys.count();
        changed = allowedNow + deniedNow > 0 || allowedBefore + deniedBefore > 0 || keysNow != keysBefore;
        if (allowedNow + deniedNow > 0 || lastActive == 0) {
            lastActive = second;
        }
    }

    int allowedNow() {
        return allowedNow;
    }

    int deniedNow() {
        return deniedNow;
    }

    long keysNow() {
        return keysNow;
    }

    /** Returns whether it was used in this second or the one before, or the number of denied keys has changed. */
    boolean changed() {
        return changed;
    }

    /** Returns whether nothing was decided in the last 300 seconds. */
    boolean isIdle(long second) {
        return lastActive != 0 && second - lastActive >= Ring.SECONDS;
    }
}
