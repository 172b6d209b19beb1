package dev.weir.server.live;

import dev.weir.Limit;
import org.jspecify.annotations.Nullable;

/** The counts of one limit of a rule. The two counters are for any thread; all else that changes belongs to the thread that samples. */
public final class LimitRow {
    static final int NONE = -1;

    final int id;
    final RuleId rule;
    final int position;
    final String text;
    final String mode;
    final @Nullable Integer of;
    final SampledCounter allowed = new SampledCounter();
    final SampledCounter denied = new SampledCounter();
    final Ring allowedBefore = new Ring(Ring.SECONDS);
    final Ring deniedBefore = new Ring(Ring.SECONDS);
    final DistinctKeys deniedKeys = new DistinctKeys();
    private volatile boolean retired;
    private boolean changed;
    private long keysNow;
    private long lastActive;

    /**
     * Creates a row.
     *
     * @param id an identifier that no other row has
     * @param position the position of the limit in the rule, or {@link #NONE} if this is not the row of one limit
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
        allowed.sample();
        denied.sample();
        allowedBefore.add(second, allowed.latest());
        deniedBefore.add(second, denied.latest());
        deniedKeys.advance(second);
        keysNow = deniedKeys.count();
        changed = isUsed() || wasUsed || keysNow != keysBefore;
        if (isUsed() || lastActive == 0) {
            lastActive = second;
        }
    }

    long keysNow() {
        return keysNow;
    }

    /** Returns whether anything was decided in this second. */
    boolean isUsed() {
        return allowed.latest() + denied.latest() > 0;
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
