package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The ring of runs does what a sorted map does, in either encoding, in the space that it promises. */
class RunsTest {
    private static final long MS = 1_000_000;

    @Test
    void anyOperations_asASortedMap() {
        int fine = 0;
        int turned = 0;
        for (long seed = 0; seed < 900; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long tick = new long[] {0, 1, 10, 3_000_000_000L}[random.nextInt(4)];
            int heaviest = 1 + random.nextInt(6);
            boolean inOrder = random.nextBoolean();
            Runs runs = new Runs(tick);
            TreeMap<Long, Long> map = new TreeMap<>();
            long newest = random.nextLong();
            for (int i = 0; i < 300; i++) {
                long ahead = random.nextInt(inOrder ? 3 : 40) * (random.nextInt(50) == 0 ? 1 : Math.max(1, tick));
                long stamp = inOrder ? newest + ahead : newest + ahead - 20 * Math.max(1, tick);
                long weight = 1L + random.nextInt(heaviest);
                if (random.nextInt(5) < (i < 150 ? 4 : 1)) {
                    newest = Math.max(newest, stamp);
                    runs.add(stamp, weight);
                    map.merge(stamp, weight, Long::sum);
                } else if (!map.isEmpty() && random.nextInt(3) > 0) {
                    map.merge(runs.stamp(0), -runs.weight(0), (a, b) -> a + b == 0 ? null : a + b);
                    runs.drop(0);
                } else if (random.nextInt(10) == 0) {
                    runs.makeCoarse();
                    if (runs.find(stamp) >= 0) {
                        runs.take(runs.find(stamp), 1);
                        map.merge(stamp, -1L, (a, b) -> a + b == 0 ? null : a + b);
                    }
                } else if (tick > 0 && !runs.isFine() && !runs.isEmpty() && runs.makeFine()) {
                    turned++;
                }
                fine += runs.isFine() ? 1 : 0;
                same(runs, map, stamp);
            }
        }
        assertThat(fine).isGreaterThan(20_000);
        assertThat(turned).isGreaterThan(1_000);
    }

    private static void same(Runs runs, Map<Long, Long> map, long stamp) {
        TreeMap<Long, Long> held = new TreeMap<>();
        int upTo = 0;
        for (int i = 0; i < runs.size(); i++) {
            held.merge(runs.stamp(i), runs.weight(i), Long::sum);
            upTo += runs.stamp(i) <= stamp ? 1 : 0;
            assertThat(i == 0 || runs.stamp(i - 1) <= runs.stamp(i)).isTrue();
            assertThat(runs.isFine() || i == 0 || runs.stamp(i - 1) < runs.stamp(i))
                    .isTrue();
        }
        assertThat(held).isEqualTo(map);
        assertThat(runs.countUpTo(stamp)).isEqualTo(upTo);
        assertThat(runs.find(stamp) >= 0).isEqualTo(map.containsKey(stamp));
    }

    @Test
    void fineRuns_ofFourBillionTicksAndMore_moveTheirBase() {
        Runs runs = new Runs(1);
        for (long stamp = 0; stamp < 100_000_000_000L; stamp += 1_000_000_000L) {
            runs.add(stamp, 1);
            if (runs.size() > 4) {
                runs.drop(0);
            }
            assertThat(runs.newest()).isEqualTo(stamp);
            assertThat(runs.stamp(0)).isEqualTo(Math.max(0, stamp - 3_000_000_000L));
        }
        assertThat(runs.isFine()).isTrue();

        runs.add(runs.newest() + 5_000_000_000L, 1); // too far for one base

        assertThat(runs.isFine()).isFalse();
        assertThat(runs.stamp(0)).isEqualTo(96_000_000_000L);
    }

    @Test
    void millionASecondAtTheDefaultResolution_holdsAThousandAndOneRuns() throws Exception {
        Log log = log("1000000/1s");
        long now = 1_000_000_000_000L;
        Memory memory = new Memory(now);
        int most = 0;
        for (int i = 0; i < 3_000_000; i++) {
            now += 900;
            log.take(memory, now, 1);
            most = Math.max(most, i < 10_000 ? 0 : runs(memory).size());
        }

        assertThat(most).isBetween(900, 1001);
        assertThat(bytes(memory)).isLessThanOrEqualTo(16 * 1024);
    }

    @Test
    void millionAMinuteInFineTicks_takesLessThanFiveBytesEach() throws Exception {
        Log log = log("1000000/1m resolution=1us");
        SplittableRandom random = new SplittableRandom(7);
        long now = 1_000_000_000_000L;
        Memory memory = new Memory(now);
        for (int i = 0; i < 1_000_000; i++) {
            now += (long) (-Math.log(1 - random.nextDouble()) * 59_000);
            assertThat(log.take(memory, now, 1)).isEqualTo(1_000_000 - 1 - i);
        }

        assertThat(bytes(memory)).isLessThan(5_000_000);
        assertThat(log.earliest(memory, now, 0, 1)).isPositive();
    }

    @Test
    void logThatEmpties_givesItsSpaceBack() throws Exception {
        Log log = log("1000000/1s");
        long now = 0;
        Memory memory = new Memory(now);
        log.book(memory, now, 0, 1);
        assertThat(memory.more).as("one entry is held without a ring").isNull();
        for (int i = 0; i < 1000; i++) {
            log.book(memory, now += MS, 0, 1);
        }
        assertThat(bytes(memory)).isBetween(4 * 1001L, 4 * 1024L);

        assertThat(log.idle(memory, now + 2000 * MS)).isTrue();
        assertThat(memory.more).isNull();
    }

    private static Log log(String limit) {
        return (Log) Algorithm.of(Limit.parse(limit));
    }

    private static Runs runs(Memory memory) {
        return (Runs) memory.more;
    }

    private static long bytes(Memory memory) throws ReflectiveOperationException {
        return 4L * length(memory, "ticks") + 8L * length(memory, "pairs");
    }

    private static int length(Memory memory, String ring) throws ReflectiveOperationException {
        Field field = Runs.class.getDeclaredField(ring);
        field.setAccessible(true);
        return Array.getLength(field.get(runs(memory)));
    }
}
