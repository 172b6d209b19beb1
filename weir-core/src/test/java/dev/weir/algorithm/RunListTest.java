package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** {@link RunList} against a plain list of pairs, over several blocks. */
class RunListTest {
    private static final int CASES = (int) Math.min(200, 10 + Long.getLong("weir.traces", 10_000) / 50);
    private static final int STEPS = 2_000;

    private final List<long[]> expected = new ArrayList<>();

    @Test
    void anyOperations_asAPlainList() {
        for (long seed = 0; seed < CASES; seed++) {
            check(new SplittableRandom(seed));
        }
    }

    private void check(SplittableRandom random) {
        expected.clear();
        RunList runs = new RunList();
        long now = 0;
        for (int step = 0; step < STEPS; step++) {
            now += random.nextInt(3);
            switch (random.nextInt(8)) {
                case 0 -> removeBlocks(runs, random);
                case 1 -> changeOne(runs, random);
                case 2 -> removeLast(runs);
                default -> add(runs, now - random.nextInt(4), 1 + random.nextInt(3));
            }
            if (random.nextInt(50) == 0) {
                compare(runs, random, now);
            }
            if (random.nextInt(200) == 0) {
                runs = copied(runs);
            }
        }
        compare(runs, random, now);
    }

    private void add(RunList runs, long stamp, long weight) {
        int i = runs.add(0, stamp, weight);
        int at = expected.size();
        while (at > 0 && expected.get(at - 1)[0] > stamp) {
            at--;
        }
        if (at > 0 && expected.get(at - 1)[0] == stamp) {
            expected.get(--at)[1] += weight;
        } else {
            expected.add(at, new long[] {stamp, weight});
        }
        assertThat(i).isEqualTo(at);
    }

    private void changeOne(RunList runs, SplittableRandom random) {
        if (!expected.isEmpty()) {
            int i = random.nextInt(expected.size());
            long change = -random.nextLong(expected.get(i)[1] + 1);
            runs.addWeight(i, change);
            expected.get(i)[1] += change;
        }
    }

    private void removeLast(RunList runs) {
        if (!expected.isEmpty()) {
            runs.removeLast();
            expected.remove(expected.size() - 1);
        }
    }

    private void removeBlocks(RunList runs, SplittableRandom random) {
        int start = random.nextInt(20) == 0 ? expected.size() : random.nextInt(expected.size() / 3 + 1);
        int removed = runs.removeBlocksBefore(start);
        assertThat(removed).isBetween(start - 255, start);
        expected.subList(0, removed).clear();
    }

    /** A copy and its original change independently. */
    private static RunList copied(RunList runs) {
        RunList copy = new RunList(runs);
        if (runs.size() > 0) {
            runs.addWeight(runs.size() / 2, 7);
            runs.add(0, runs.stamp(runs.size() - 1) + 1, 5);
        }
        return copy;
    }

    private void compare(RunList runs, SplittableRandom random, long now) {
        assertThat(runs.size()).isEqualTo(expected.size());
        for (int i = 0; i < expected.size(); i++) {
            assertThat(runs.stamp(i)).isEqualTo(expected.get(i)[0]);
            assertThat(runs.weight(i)).isEqualTo(expected.get(i)[1]);
        }
        int from = random.nextInt(expected.size() + 1);
        int to = from + random.nextInt(expected.size() - from + 1);
        long weight =
                expected.subList(from, to).stream().mapToLong(run -> run[1]).sum();
        assertThat(runs.weight(from, to)).isEqualTo(weight);
        long instant = now - random.nextInt(1_000);
        assertThat(runs.after(from, now, instant - now)).isEqualTo(first(from, run -> run[0] > instant));
        assertThat(runs.skipEmpty(from)).isEqualTo(first(from, run -> run[1] > 0));
        int found = first(from, run -> run[0] == instant);
        assertThat(runs.find(from, instant)).isEqualTo(found == expected.size() ? -1 : found);
        long all = expected.subList(from, expected.size()).stream()
                .mapToLong(run -> run[1])
                .sum();
        if (all > 0) {
            long permit = 1 + random.nextLong(all);
            long[] rest = {permit};
            assertThat(runs.holding(from, permit)).isEqualTo(first(from, run -> (rest[0] -= run[1]) <= 0));
        }
    }

    private int first(int from, Predicate<long[]> wanted) {
        int i = from;
        while (i < expected.size() && !wanted.test(expected.get(i))) {
            i++;
        }
        return i;
    }
}
