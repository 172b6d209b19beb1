package dev.weir.server.live;

import dev.weir.Limits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rules whose decisions are counted: those of the configuration, and those that requests bring. They have at most 500 limits, and
 * as many candidates as rules; what has no room shares one row. Thread-safe.
 */
final class RuleTable {
    private static final int MOST_CONFIGURED = 400;
    private static final int MOST = 500;
    private static final int OTHERS = 0;

    private final Map<RuleId, RuleRows> rules = new ConcurrentHashMap<>();
    private final RuleRows others = new RuleRows(
            new RuleId("", "others", "live", Limits.parse("unlimited"), false),
            List.of(new LimitRow(OTHERS, "others", "", "live", null)),
            false);
    private volatile boolean full; // spares those that have no room the lock; set under it
    private Set<RuleId> configured = Set.of(); // guarded by this, as all below
    private int lastId = OTHERS;
    private int version;

    /** Returns the rows of a rule. */
    RuleRows get(RuleId id) {
        RuleRows rows = rules.get(id);
        if (rows != null) {
            return rows;
        }
        return full ? others : add(id, MOST);
    }

    /** Returns the rows of a rule that is known, else null. */
    @Nullable
    RuleRows find(RuleId id) {
        return rules.get(id);
    }

    private synchronized RuleRows add(RuleId id, int most) {
        RuleRows known = rules.get(id);
        if (known != null) {
            return known;
        }
        int limits = id.deniesAll() ? 1 : id.limits().list().size();
        if (rowCount() + limits > most) {
            full |= most == MOST;
            return others;
        }
        List<LimitRow> rows = new ArrayList<>();
        for (int i = 0; i < limits; i++) {
            rows.add(new LimitRow(++lastId, id.name(), id.text(i), id.mode(), null));
        }
        RuleRows added = new RuleRows(id, rows, true);
        rules.put(id, added);
        version++;
        return added;
    }

    private int rowCount() {
        return rules.values().stream().mapToInt(rule -> rule.rows().size()).sum();
    }

    /** Compares a rule with a candidate, unless it is already. */
    private void compare(RuleRows live, Limits candidate) {
        Comparison known = live.comparison();
        if (known != null && known.candidate().equals(candidate)) {
            return;
        }
        String text = candidate.list().stream().map(Object::toString).collect(Collectors.joining(", "));
        LimitRow row = new LimitRow(++lastId, live.id().name(), text, "candidate", live.row(0).id);
        String limits = live.rows().stream().map(limit -> limit.limit).collect(Collectors.joining(", "));
        live.compareWith(new Comparison(limits, candidate, row));
    }

    /** Sets which rules the configuration has. Those that it has no longer are forgotten. */
    synchronized void configure(Collection<ConfiguredRule> now) {
        Set<RuleId> ids = new HashSet<>();
        for (ConfiguredRule rule : now) {
            RuleRows rows = add(rule.id(), MOST_CONFIGURED);
            if (rows != others) {
                ids.add(rule.id());
                if (rule.candidate() == null) {
                    rows.compareWith(null);
                } else {
                    compare(rows, rule.candidate());
                }
            }
        }
        for (RuleId before : configured) {
            if (!ids.contains(before)) {
                rules.remove(before);
            }
        }
        configured = ids;
        full = false;
        version++;
    }

    /** Forgets rules of requests that have decided nothing for 5 minutes. */
    synchronized void removeIdle(long second) {
        boolean removed = rules.entrySet()
                .removeIf(rule -> !configured.contains(rule.getKey())
                        && rule.getValue().rows().stream().allMatch(row -> row.isIdle(second)));
        if (removed) {
            full = false;
            version++;
        }
    }

    /** Returns a number that changes when the rows do. */
    synchronized int version() {
        return version;
    }

    /** Returns all rows, without those of candidates; by their numbers. */
    List<LimitRow> rows() {
        List<LimitRow> rows = new ArrayList<>();
        all().forEach(rule -> rows.addAll(rule.rows()));
        rows.addAll(others.rows());
        return rows;
    }

    /** Returns the comparisons with candidates, by the numbers of their rules. */
    List<Comparison> comparisons() {
        List<Comparison> comparisons = new ArrayList<>();
        for (RuleRows rule : all()) {
            Comparison comparison = rule.comparison();
            if (comparison != null) {
                comparisons.add(comparison);
            }
        }
        return comparisons;
    }

    private List<RuleRows> all() {
        List<RuleRows> all = new ArrayList<>(rules.values());
        all.sort((one, other) -> Integer.compare(one.row(0).id, other.row(0).id));
        return all;
    }
}
