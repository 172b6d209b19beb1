package dev.weir.server.live;

import dev.weir.Limits;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
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
    private final RuleRows others = others();
    private volatile boolean full; // spares those that have no room the lock; set under it
    private int lastId = OTHERS; // guarded by this, as all below
    private int version;

    private static RuleRows others() {
        RuleId id = new RuleId("", "others", Mode.LIVE, Limits.parse("unlimited"), false, true);
        return new RuleRows(id, List.of(new LimitRow(OTHERS, id, LimitRow.NONE, "", Mode.LIVE.text(), null)));
    }

    /**
     * Returns the rows of a rule. Only {@link #configure} adds those of a configuration: a decision may end after its rule has been
     * removed.
     */
    RuleRows get(RuleId id) {
        RuleRows rows = rules.get(id);
        if (rows != null) {
            return rows;
        }
        return full || id.configured() ? others : add(id);
    }

    /** Returns the rows of a rule that is known, else null. */
    @Nullable
    RuleRows find(RuleId id) {
        return rules.get(id);
    }

    /** Adds the rule of a request. */
    private synchronized RuleRows add(RuleId id) {
        RuleRows known = rules.get(id);
        if (known != null) {
            return known;
        }
        if (rowCount() + limitCount(id) > MOST) {
            full = true;
            return others;
        }
        version++;
        return addRows(id);
    }

    private RuleRows addRows(RuleId id) {
        List<LimitRow> rows = new ArrayList<>();
        for (int i = 0; i < limitCount(id); i++) {
            rows.add(new LimitRow(++lastId, id, i, id.text(i), id.mode().text(), null));
        }
        RuleRows added = new RuleRows(id, rows);
        rules.put(id, added);
        return added;
    }

    private static int limitCount(RuleId id) {
        return id.limits().list().size();
    }

    private int rowCount() {
        return rules.values().stream().mapToInt(rule -> rule.rows().size()).sum();
    }

    /** Compares a rule with its candidate, if it has one, unless it is already. */
    private void compare(RuleRows live, @Nullable Limits candidate) {
        Comparison known = live.comparison();
        if (candidate == null) {
            live.compareWith(null);
            return;
        } else if (known != null && known.candidate().equals(candidate)) {
            return;
        }
        String text = candidate.list().stream().map(Object::toString).collect(Collectors.joining(", "));
        LimitRow row = new LimitRow(++lastId, live.id(), LimitRow.NONE, text, "candidate", live.row(0).id);
        String limits = live.rows().stream().map(limit -> limit.text).collect(Collectors.joining(", "));
        live.compareWith(new Comparison(limits, candidate, row));
    }

    /**
     * Sets which rules the configuration has. Those that it has no longer are forgotten, and those of requests if there is no room
     * for both.
     */
    synchronized void configure(Collection<Rule> now) {
        Map<RuleId, Rule> counted = counted(now);
        int rows = counted.keySet().stream().mapToInt(RuleTable::limitCount).sum();
        removeIf(rule -> rule.id().configured() && !counted.containsKey(rule.id()));
        for (RuleId id : rules.keySet()) {
            rows += counted.containsKey(id) ? 0 : limitCount(id);
        }
        if (rows > MOST) {
            removeIf(rule -> !counted.containsKey(rule.id()));
        }
        counted.forEach((id, rule) -> {
            RuleRows known = rules.get(id);
            compare(known == null ? addRows(id) : known, rule.candidate());
        });
        full = false;
        version++;
    }

    /** Returns the rules that have rows of their own: the first of a configuration, as far as there is room. */
    private static Map<RuleId, Rule> counted(Collection<Rule> rules) {
        Map<RuleId, Rule> counted = new LinkedHashMap<>();
        int room = MOST_CONFIGURED;
        for (Rule rule : rules) {
            RuleId id = RuleId.of(rule);
            int limits = limitCount(id);
            if (limits <= room && counted.putIfAbsent(id, rule) == null) {
                room -= limits;
            }
        }
        return counted;
    }

    /** Forgets rules of requests that have decided nothing for 5 minutes. */
    synchronized void removeIdle(long second) {
        boolean removed =
                removeIf(rule -> !rule.id().configured() && rule.rows().stream().allMatch(row -> row.isIdle(second)));
        if (removed) {
            full = false;
            version++;
        }
    }

    private boolean removeIf(Predicate<RuleRows> condition) {
        return rules.values().removeIf(rule -> {
            boolean retired = condition.test(rule);
            if (retired) {
                rule.retire();
            }
            return retired;
        });
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
