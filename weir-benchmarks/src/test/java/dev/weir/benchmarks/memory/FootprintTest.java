package dev.weir.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sizes are those of a 64-bit JVM with compressed pointers, as it is below 32 GB. */
final class FootprintTest {
    private static final int KEYS = 2_000;
    private static final int ENTRIES = 100_000;

    @Test
    void ofAll_contestants_arePlausible() {
        List<String> reported = new ArrayList<>();

        List<Footprint> footprints = Footprint.ofAll(KEYS, ENTRIES, reported::add);

        assertThat(reported).hasSize(Contestant.values().length);
        assertThat(footprints)
                .extracting(Footprint::title)
                .containsExactly("Weir", "Weir, 1 µs", "Bucket4j", "Resilience4j", "Guava", "Failsafe");
        assertThat(footprints)
                .allSatisfy(each -> assertThat(each.idleKeyBytes()).isBetween(16.0, 1_000.0));
        // 100,000 arrivals hit most of the 60,000 ticks of 1 ms, and nearly all have a tick of 1 us of their own.
        assertThat(footprints.get(0).busyKeyBytes()).isBetween(40_000L, 4_000_000L);
        // A run takes 4 to 16 bytes, in arrays that may be half empty.
        assertThat(footprints.get(1).busyKeyBytes()).isBetween(400_000L, 4_000_000L);
        assertThat(footprints.subList(2, 6))
                .allSatisfy(counter ->
                        assertThat((double) counter.busyKeyBytes()).isCloseTo(counter.idleKeyBytes(), within(32.0)));
        // A bucket has a state and a configuration of its own, but no bandwidth.
        assertThat(footprints.get(2).idleKeyBytes()).isLessThan(320);
    }

    @Test
    void bytesPerEntry_busyKey_isDividedAmongItsEntries() {
        assertThat(new Footprint("Weir", 60, 1_500, 1_000).bytesPerEntry()).isEqualTo(1.5);
    }

    /** Of as many arrivals as ticks, 1 - 1/e of the ticks are hit in a Poisson process; all of them, if evenly spaced. */
    @Test
    void arrivals_asManyAsTicks_hitTicksAsPoissonProcess() {
        long tick = 600_000;

        long[] arrivals = Footprint.arrivals(100_000 * tick, 100_000);

        assertThat(arrivals).hasSize(100_000).isSorted().isEqualTo(Footprint.arrivals(100_000 * tick, 100_000));
        assertThat(Arrays.stream(arrivals)
                                .map(instant -> instant / tick)
                                .distinct()
                                .count()
                        / 100_000.0)
                .isBetween(0.627, 0.637);
    }
}
