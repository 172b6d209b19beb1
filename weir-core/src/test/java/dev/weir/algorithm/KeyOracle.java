package dev.weir.algorithm;

import dev.weir.KeySnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** One key by definition: the state of each limit, that of limits it had before and that are not idle yet, and a block. */
final class KeyOracle {
    private record Named(String name, Oracle oracle) {}

    private final List<Named> limits = new ArrayList<>();
    private final List<Named> dormant = new ArrayList<>();
    private long blockedAt;
    private long blockedNanos; // from blockedAt

    private KeyOracle copy() {
        KeyOracle copy = new KeyOracle();
        limits.forEach(one -> copy.limits.add(new Named(one.name, one.oracle.copy())));
        dormant.forEach(one -> copy.dormant.add(new Named(one.name, one.oracle.copy())));
        copy.blockedAt = blockedAt;
        copy.blockedNanos = blockedNanos;
        return copy;
    }

    /** Returns this key, prepared for a request that writes nothing. */
    KeyOracle peeked(List<Rule> rules, long now) {
        KeyOracle peeked = keeps(rules) ? this : copy();
        peeked.prepare(rules, now);
        return peeked;
    }

    /** Prepares for a request: adopts changed limits by name and algorithm, drops what has expired. */
    void prepare(List<Rule> rules, long now) {
        if (!keeps(rules)) {
            dormant.removeIf(one -> one.oracle.idle(now));
            dormant.addAll(limits);
            limits.clear();
            for (int i = 0; i < rules.size(); i++) {
                limits.add(
                        new Named(rules.get(i).nameAt(i), adopted(rules.get(i).nameAt(i), rules.get(i), now)));
            }
            dormant.removeIf(one -> one.oracle.idle(now));
        }
        limits.forEach(one -> one.oracle.forget(now));
    }

    private boolean keeps(List<Rule> rules) {
        boolean keeps = rules.size() == limits.size();
        for (int i = 0; keeps && i < limits.size(); i++) {
            keeps = limits.get(i).oracle.rule().equals(rules.get(i));
        }
        return keeps;
    }

    private Oracle adopted(String name, Rule rule, long now) {
        for (Named one : dormant) {
            if (one.name.equals(name) && one.oracle.rule().sameAlgorithm(rule)) {
                dormant.remove(one);
                one.oracle.changeTo(rule, now);
                return one.oracle;
            }
        }
        return Oracle.of(rule, now);
    }

    int size() {
        return limits.size();
    }

    Oracle limit(int i) {
        return limits.get(i).oracle;
    }

    void block(long now, long nanos) {
        if (nanos > blockedFor(now)) {
            blockedAt = now;
            blockedNanos = nanos;
        }
    }

    void unblock() {
        blockedNanos = 0;
    }

    long blockedFor(long now) {
        return blockedNanos == 0 ? 0 : Math.max(0, blockedNanos - (now - blockedAt));
    }

    boolean mayReserve(long now, long wait, long permits) {
        return limits.stream().allMatch(one -> one.oracle.mayReserve(now, wait, permits));
    }

    /** The least remaining permits of the limits; none while blocked. */
    long remaining(long now) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < limits.size(); i++) {
            least = Math.min(least, remainingOf(i, now));
        }
        return least;
    }

    /** The permits that remain of a limit; none while the key is blocked. */
    long remainingOf(int i, long now) {
        return blockedFor(now) > 0 ? 0 : limits.get(i).oracle.remaining(now);
    }

    /** The least wait after which the permits fit a limit and the block is over. */
    long earliestOf(int i, long now, long permits) {
        return limits.get(i).oracle.earliest(now, blockedFor(now), permits);
    }

    KeySnapshot snapshot(long now, int maxRuns) {
        List<KeySnapshot.LimitSnapshot> each = new ArrayList<>();
        for (Named one : limits) {
            Oracle oracle = one.oracle;
            List<long[]> runs = oracle.runs(now);
            List<long[]> pending = oracle.pending(now);
            long n = oracle.rule().limit().maxPermitsPerRequest();
            List<KeySnapshot.Fit> fits = LongStream.of(1, Math.max(1, n / 10), Math.max(1, n / 2), n)
                    .distinct()
                    .mapToObj(permits -> new KeySnapshot.Fit(permits, instant(now, oracle.earliest(now, 0, permits))))
                    .toList();
            each.add(new KeySnapshot.LimitSnapshot(
                    oracle.rule().limit(),
                    oracle.remaining(now),
                    newest(runs, maxRuns),
                    newest(pending, maxRuns),
                    Math.max(runs.size(), pending.size()) > maxRuns,
                    fits));
        }
        Optional<Instant> blockedUntil = blockedFor(now) > 0
                ? Optional.of(Instant.ofEpochSecond(0, now).plusNanos(blockedFor(now)))
                : Optional.empty();
        return new KeySnapshot(Instant.ofEpochSecond(0, now), blockedUntil, each);
    }

    private static @Nullable Instant instant(long now, long wait) {
        return wait == Oracle.NEVER ? null : Instant.ofEpochSecond(0, now).plusNanos(wait);
    }

    private static List<KeySnapshot.Run> newest(List<long[]> runs, int max) {
        return runs.subList(Math.max(0, runs.size() - max), runs.size()).stream()
                .map(run -> new KeySnapshot.Run(Instant.ofEpochSecond(0, run[0]), run[1]))
                .toList();
    }
}
