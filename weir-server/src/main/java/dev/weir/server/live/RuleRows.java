package dev.weir.server.live;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rule whose decisions are counted: the rows of its limits, and its candidate. Thread-safe. */
public final class RuleRows {
    private final RuleId id;
    private final List<LimitRow> rows;
    private volatile @Nullable Comparison comparison;

    RuleRows(RuleId id, List<LimitRow> rows) {
        this.id = id;
        this.rows = List.copyOf(rows);
    }

    RuleId id() {
        return id;
    }

    List<LimitRow> rows() {
        return rows;
    }

    /** Returns the row of the limit at a position; rules that have no room share one. */
    public LimitRow row(int limit) {
        return rows.get(Math.min(limit, rows.size() - 1));
    }

    void retire() {
        rows.forEach(LimitRow::retire);
    }

    /** {@return the comparison with the candidate of the rule, or null if it has none} */
    public @Nullable Comparison comparison() {
        return comparison;
    }

    void compareWith(@Nullable Comparison comparison) {
        this.comparison = comparison;
    }
}
