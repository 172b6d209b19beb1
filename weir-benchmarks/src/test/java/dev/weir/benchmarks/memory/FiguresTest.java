package dev.weir.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.memory.Measure.Collector;
import dev.weir.benchmarks.memory.Measure.Sample;
import dev.weir.benchmarks.report.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FiguresTest {
    private static final Measure GUAVA = new Measure(Scenario.AT_LIMIT, Contestant.GUAVA, 2, Collector.G1);
    private static final Measure FAILSAFE = new Measure(Scenario.AT_LIMIT, Contestant.FAILSAFE, 2, Collector.G1);
    private static final Measure WEIR = new Measure(Scenario.AT_LIMIT, Contestant.WEIR, 2, Collector.G1);

    private final Figures figures = new Figures();

    @Test
    void nanos_oddAndEvenNumberOfForks_haveTheirMiddle() {
        figures.add(GUAVA, new Sample(90, 0, 1, 1, 0, 0, 0));
        figures.add(GUAVA, new Sample(10, 0, 1, 1, 0, 0, 0));
        assertThat(figures.nanos(GUAVA)).isEqualTo(new Spread(50, 10, 90));

        figures.add(GUAVA, new Sample(20, 0, 1, 1, 0, 0, 0));
        assertThat(figures.nanos(GUAVA)).isEqualTo(new Spread(20, 10, 90));
    }

    @Test
    void deniedShare_severalForks_isOfAllTogether() {
        figures.add(GUAVA, new Sample(1, 0, 1, 9, 0, 0, 0));
        figures.add(GUAVA, new Sample(1, 0, 9, 1, 0, 0, 0));
        figures.add(GUAVA, new Sample(1, 0, 20, 0, 0, 0, 0));

        assertThat(figures.deniedShare(GUAVA)).isEqualTo(0.25);
    }

    @Test
    void fastestPeer_oneBadFork_isByTheMiddle() {
        figures.add(WEIR, new Sample(1, 0, 1, 1, 0, 0, 0));
        for (double nanos : List.of(50.0, 51.0, 500.0)) {
            figures.add(GUAVA, new Sample(nanos, 0, 1, 1, 0, 0, 0));
        }
        for (double nanos : List.of(40.0, 60.0, 61.0)) {
            figures.add(FAILSAFE, new Sample(nanos, 0, 1, 1, 0, 0, 0));
        }

        assertThat(figures.fastestPeer(Scenario.AT_LIMIT, 2, Collector.G1)).isEqualTo(GUAVA);
    }

    @Test
    void nanos_notMeasured_isReported() {
        assertThatThrownBy(() -> figures.nanos(GUAVA)).hasMessage("not measured: " + GUAVA);
        assertThatThrownBy(() -> figures.fastestPeer(Scenario.DENIED, 1, Collector.G1))
                .hasMessage("no peer was measured: one key, denied");
    }
}
