package dev.weir.server.live;

import dev.weir.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rule whose decisions are counted, and its rows. Thread-safe. */
public final class RuleRows {
    private final RuleId id;
    private final List<LimitRow> rows;
    private final boolean known; // false of what has no room
    private volatile boolean retired;
    private volatile @Nullable Comparison comparison;

    RuleRows(RuleId id, List<LimitRow> rows, boolean known) {
        this.id = id;
        this.rows = List.copyOf(rows);
        this.known = known;
    }

    RuleId id() {
        return id;
    }

    List<LimitRow> rows() {
        return rows;
    }

    /** Returns the row of a limit; rules that have no room share one. */
    LimitRow row(int limit) {
        return rows.get(known ? limit : 0);
    }

    /** Returns the limit at a position, or null if the limits are not known. */
    @Nullable
    Limit limit(int limit) {
        return known ? id.limits().list().get(limit) : null;
    }

    /** Returns whether the table has this rule no longer; if it returns, it has new rows. */
    boolean isRetired() {
        return retired;
    }

    void retire() {
        retired = true;
    }

    @Nullable
    Comparison comparison() {
        return comparison;
    }

    void compareWith(@Nullable Comparison comparison) {
        this.comparison = comparison;
    }
}
