package dev.weir.replay.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class BusiestStretchTest {
    @Test
    void busiest_randomRequests_isTheFullestSixtyCells() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            BusiestStretch stretch = new BusiestStretch(10);
            long[] cells = new long[700];
            long time = 0;
            while (time < 6_000) {
                cells[(int) (time / 10)]++;
                stretch.add(time, random.nextBoolean());
                time += random.nextInt(8) == 0 ? random.nextInt(900) : random.nextInt(12);
            }

            Timeline busiest = stretch.busiest();

            long sum = 0;
            for (int cell = 0; cell < busiest.buckets(); cell++) {
                sum += busiest.total(cell);
            }
            assertThat(sum).isEqualTo(fullest(cells));
            assertThat(busiest.total(0)).isPositive();
        }
    }

    private static long fullest(long[] cells) {
        long fullest = 0;
        for (int from = 0; from + BusiestStretch.CELLS <= cells.length; from++) {
            long sum = 0;
            for (int cell = from; cell < from + BusiestStretch.CELLS; cell++) {
                sum += cells[cell];
            }
            fullest = Math.max(fullest, sum);
        }
        return fullest;
    }
}
