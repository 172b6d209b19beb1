package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The ring of runs does what a sorted map does, in either encoding, in the space that it promises. */
class RunsTest {
    private static final long MS = 1_000_000;

    @Test
    void anyOperations_asASortedMap() {
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Runs runs = new Windows();
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

    /** Permits, ticks and windows of every size, against a map that forgets by the definition. */
    @Test
    void logOfBookingsAtOnce_asASortedMap() {
        int fine = 0;
        int coarse = 0;
        for (long seed = 0; seed < 600; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long tick = new long[] {1, 7, MS, 3_000_000_000L}[random.nextInt(4)];
            long window = tick * (1 + random.nextInt(random.nextBoolean() ? 20 : 1_000_000));
            int heaviest = 1 + random.nextInt(random.nextInt(4) == 0 ? 100 : 4);
            Limit limit = Limit.slidingLog(1 + random.nextInt(300), Duration.ofNanos(window))
                    .resolution(Duration.ofNanos(tick));
            Log log = (Log) Algorithms.of(limit);
            long now = random.nextLong() / 4;
            Memory memory = new Memory(now) {};
            TreeMap<Long, Long> map = new TreeMap<>();
            for (int i = 0; i < 500; i++) {
                now += (long) (random.nextDouble() * window / (1 + random.nextInt(100)));
                long start = now - window;
                map.keySet().removeIf(stamp -> stamp <= start);
                long total = map.values().stream().mapToLong(weight -> weight).sum();
                long permits = 1L + random.nextInt(heaviest);
                boolean fits = total + permits <= limit.permits();

                assertThat(log.earliest(memory, now, 0, permits)).isEqualTo(wait(map, limit, now, permits));
                assertThat(log.take(memory, now, permits))
                        .isEqualTo(fits ? limit.permits() - total - permits : Algorithm.DENIED);
                if (fits) {
                    map.merge(-Math.floorDiv(-now, tick) * tick, permits, Long::sum);
                }
                assertThat(log.resetAfter(memory, now)).isEqualTo(map.isEmpty() ? 0 : map.lastKey() + window - now);
                fine += memory.more instanceof int[] ? 1 : 0;
                coarse += memory.more instanceof Ledger ? 1 : 0;
            }
        }
        assertThat(fine).isGreaterThan(10_000);
        assertThat(coarse).isGreaterThan(10_000);
    }

    private static long wait(Map<Long, Long> map, Limit limit, long now, long permits) {
        long excess = map.values().stream().mapToLong(weight -> weight).sum() + permits - limit.permits();
        long wait = permits > limit.permits() ? Algorithm.NEVER : 0;
        for (Map.Entry<Long, Long> run : map.entrySet()) {
            if (excess > 0 && wait != Algorithm.NEVER) {
                wait = run.getKey() + limit.windowNanos() - now;
            }
            excess -= run.getValue();
        }
        return wait;
    }

    @Test
    void millionASecondAtTheDefaultResolution_holdsAThousandAndOneRuns() throws Exception {
        Log log = log("1000000/1s");
        long now = 1_000_000_000_000L;
        Memory memory = new Memory(now) {};
        int most = 0;
        for (int i = 0; i < 3_000_000; i++) {
            now += 900;
            log.take(memory, now, 1);
            most = Math.max(most, memory.more instanceof Ledger ledger ? ledger.size() : 0);
        }

        assertThat(most).isBetween(900, 1001);
        assertThat(bytes(memory)).isLessThanOrEqualTo(16 * 1024);
    }

    @Test
    void millionAMinuteInFineTicks_takesLessThanFiveBytesEach() throws Exception {
        Log log = log("1000000/1m resolution=1us");
        SplittableRandom random = new SplittableRandom(7);
        long now = 1_000_000_000_000L;
        Memory memory = new Memory(now) {};
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
        Memory memory = new Memory(now) {};
        log.book(memory, now, 0, 1);
        assertThat(memory.more).as("one entry is held without a ring").isNull();
        for (int i = 0; i < 1000; i++) {
            log.book(memory, now += MS, 0, 1);
        }
        assertThat(bytes(memory)).isBetween(4 * 1000L, 8 * 1000L);

        assertThat(log.idle(memory, now + 900 * MS)).isFalse();
        assertThat(bytes(memory))
                .as("whoever asks whether it is idle lets go of nothing")
                .isGreaterThan(4000);
        assertThat(log.remaining(memory, now + 900 * MS)).isLessThan(1_000_000);
        assertThat(bytes(memory)).isLessThan(3000);
        assertThat(log.idle(memory, now + 1100 * MS)).isTrue();
        assertThat(log.remaining(memory, now + 1100 * MS)).isEqualTo(1_000_000);
        assertThat(memory.more).isNull();
    }

    private static Log log(String limit) {
        return (Log) Algorithms.of(Limit.parse(limit));
    }

    private static long bytes(Memory memory) throws ReflectiveOperationException {
        if (memory.more instanceof int[] ticks) {
            return 4L * ticks.length;
        }
        Field field = Runs.class.getDeclaredField("ring");
        field.setAccessible(true);
        return 8L * ((long[]) field.get(memory.more)).length;
    }
}
