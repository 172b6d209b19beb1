package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
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
            switch (random.nextInt(40)) {
                case 0 -> {
                    if (random.nextInt(5) == 0) {
                        removeFirst(runs, random);
                    }
                }
                case 9 -> {
                    if (random.nextInt(5) == 0) {
                        removeLast(runs, random);
                    }
                }
                case 1, 2, 3, 4 -> removeOne(runs, random);
                case 5, 6, 7, 8 -> changeOne(runs, random);
                case 10, 11 -> add(runs, random.nextLong(now + 1), 1);
                default -> add(runs, now - random.nextInt(4), 1 + random.nextInt(3));
            }
            if (random.nextInt(50) == 0) {
                compare(runs, random, now);
            }
            if (random.nextInt(200) == 0) {
                runs = copied(runs, random);
            }
        }
        compare(runs, random, now);
    }

    private void add(RunList runs, long stamp, long weight) {
        int i = runs.add(stamp, weight);
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

    private void removeOne(RunList runs, SplittableRandom random) {
        if (!expected.isEmpty()) {
            int i = random.nextBoolean() ? expected.size() - 1 : random.nextInt(expected.size());
            runs.remove(i);
            expected.remove(i);
        }
    }

    private void removeFirst(RunList runs, SplittableRandom random) {
        int removed = random.nextInt(20) == 0 ? expected.size() : random.nextInt(expected.size() / 3 + 1);
        runs.removeFirst(removed);
        expected.subList(0, removed).clear();
    }

    private void removeLast(RunList runs, SplittableRandom random) {
        int removed = random.nextInt(20) == 0 ? expected.size() : random.nextInt(expected.size() / 3 + 1);
        List<long[]> last = expected.subList(expected.size() - removed, expected.size());
        long[] pairs = last.stream().flatMapToLong(Arrays::stream).toArray();
        assertThat(runs.removeFrom(expected.size() - removed)).isEqualTo(pairs);
        last.clear();
    }

    /** A copy and its original change independently. */
    private static RunList copied(RunList runs, SplittableRandom random) {
        RunList copy = runs.copy();
        if (runs.size() > 0) {
            runs.addWeight(runs.size() / 2, 7);
            runs.add(runs.stamp(runs.size() - 1) + 1, 5);
            runs.remove(random.nextInt(runs.size()));
            runs.add(runs.stamp(0) - 1, 5);
            runs.removeFirst(runs.size() / 2);
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
        assertThat(runs.weightBefore(to) - runs.weightBefore(from)).isEqualTo(weight);
        long instant = now - random.nextInt(1_000);
        int after = first(0, run -> run[0] > instant);
        assertThat(runs.after(instant)).isEqualTo(after);
        assertThat(runs.after(Math.min(from, after), now, instant - now)).isEqualTo(after);
        int found = first(0, run -> run[0] == instant);
        assertThat(runs.find(instant)).isEqualTo(found == expected.size() ? -1 : found);
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
