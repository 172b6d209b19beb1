package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.lang.reflect.Field;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The ring of runs does what a sorted map does, in the space that it promises. */
class RunsTest {

    @Test
    void anyOperations_asASortedMap() {
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Runs runs = new Runs();
            TreeMap<Long, Long> map = new TreeMap<>();
            for (int i = 0; i < 300; i++) {
                long stamp = random.nextInt(40) + i / 4L;
                if (random.nextInt(5) < (i < 150 ? 4 : 1)) {
                    runs.add(stamp, 2);
                    map.merge(stamp, 2L, Long::sum);
                } else if (!map.isEmpty() && random.nextInt(3) == 0) {
                    runs.drop(0);
                    map.pollFirstEntry();
                } else if (runs.find(stamp) >= 0) {
                    runs.take(runs.find(stamp), 1);
                    map.merge(stamp, -1L, (a, b) -> a + b == 0 ? null : a + b);
                }
                assertThat(runs.size()).isEqualTo(map.size());
                assertThat(runs.countUpTo(stamp))
                        .isEqualTo(map.headMap(stamp, true).size());
                assertThat(runs.find(stamp) >= 0).isEqualTo(map.containsKey(stamp));
                int at = 0;
                for (var entry : map.entrySet()) {
                    assertThat(runs.stamp(at)).isEqualTo(entry.getKey());
                    assertThat(runs.weight(at++)).isEqualTo(entry.getValue());
                }
            }
        }
    }

    @Test
    void millionASecondAtTheDefaultResolution_holdsAThousandAndOneRuns() throws Exception {
        Limit.SlidingLog limit = (Limit.SlidingLog) Limit.parse("1000000/1s");
        long now = 1_000_000_000_000L;
        SlidingLog log = new SlidingLog(limit, now);
        int most = 0;
        for (int i = 0; i < 3_000_000; i++) {
            now += 900;
            if (log.earliest(now, 0, 1) == 0) {
                log.book(now, 0, 1);
            }
            most = Math.max(most, runs(log).size());
        }

        assertThat(most).isBetween(900, 1001);
        assertThat(slots(runs(log))).isLessThanOrEqualTo(2 * 1024); // 16 KB of longs
    }

    @Test
    void logThatEmpties_givesItsSpaceBack() throws Exception {
        long now = 0;
        SlidingLog log = new SlidingLog((Limit.SlidingLog) Limit.parse("1000000/1s"), now);
        assertThat(slots(runs(log))).isZero();
        log.book(now, 0, 1);
        assertThat(slots(runs(log))).isEqualTo(2); // one entry: one run
        for (int i = 0; i < 1000; i++) {
            log.book(now += 1_000_000, 0, 1);
        }
        assertThat(slots(runs(log))).isGreaterThanOrEqualTo(2000);

        assertThat(log.idle(now + 2_000_000_000L)).isTrue();
        assertThat(slots(runs(log))).isZero();
    }

    private static Runs runs(Log log) throws ReflectiveOperationException {
        Field field = Log.class.getDeclaredField("runs");
        field.setAccessible(true);
        return (Runs) field.get(log);
    }

    private static int slots(Runs runs) throws ReflectiveOperationException {
        Field field = Runs.class.getDeclaredField("ring");
        field.setAccessible(true);
        return ((long[]) field.get(runs)).length;
    }
}
