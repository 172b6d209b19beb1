package dev.weir.server.live;

import dev.weir.Limit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one limit of a rule. The two counters are for any thread; all else that changes belongs to the thread that samples.
 */
public final class LimitRow {
    static final int NONE = -1;

    final int id;
    final RuleId rule;
    final int position;
    final String text;
    final String mode;
    final @Nullable Integer of;
    final LongAdder allowed = new LongAdder();
    final LongAdder denied = new LongAdder();
    final Ring allowedBefore = new Ring(Ring.SECONDS);
    final Ring deniedBefore = new Ring(Ring.SECONDS);
    final DistinctKeys deniedKeys = new DistinctKeys();
    private volatile boolean retired;
    private long allowedSeen;
    private long deniedSeen;
    private long allowedNow;
    private long deniedNow;
    private boolean changed;
    private long keysNow;
    private long lastActive;

    /**
     * Creates a row.
     *
     * @param id an identifier that no other row has
     * @param rule the rule
     * @param position the position of the limit in the rule, or {@link #NONE} if this is not the row of one limit
     * @param text the text of the limit
     * @param mode that of the rule
     * @param of the row that this one is compared with, if it is a candidate
     */
    LimitRow(int id, RuleId rule, int position, String text, String mode, @Nullable Integer of) {
        this.id = id;
        this.rule = rule;
        this.position = position;
        this.text = text;
        this.mode = mode;
        this.of = of;
    }

    /** Returns the limit that keys use up; null if it is not known, or if the rule denies everything. */
    @Nullable
    Limit limit() {
        return position == NONE || rule.denies() ? null : rule.limits().list().get(position);
    }

    /** Returns whether decisions are no longer counted here: if the rule returns, it has new rows. */
    boolean isRetired() {
        return retired;
    }

    void retire() {
        retired = true;
    }

    /** Reads the counters at the end of a second. */
    void sample(long second) {
        boolean wasUsed = isUsed();
        long keysBefore = keysNow;
        long allowedTotal = allowed.sum();
        long deniedTotal = denied.sum();
        allowedNow = allowedTotal - allowedSeen;
        deniedNow = deniedTotal - deniedSeen;
        allowedSeen = allowedTotal;
        deniedSeen = deniedTotal;
        allowedBefore.add(second, allowedNow);
        deniedBefore.add(second, deniedNow);
        deniedKeys.advance(second);
        keysNow = deniedKeys.count();
        changed = isUsed() || wasUsed || keysNow != keysBefore;
        if (isUsed() || lastActive == 0) {
            lastActive = second;
        }
    }

    /** Returns what was allowed up to the end of the latest second. */
    long allowedTotal() {
        return allowedSeen;
    }

    /** Returns what was denied up to the end of the latest second. */
    long deniedTotal() {
        return deniedSeen;
    }

    long allowedNow() {
        return allowedNow;
    }

    long deniedNow() {
        return deniedNow;
    }

    long keysNow() {
        return keysNow;
    }

    /** Returns whether anything was decided in this second. */
    boolean isUsed() {
        return allowedNow + deniedNow > 0;
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
