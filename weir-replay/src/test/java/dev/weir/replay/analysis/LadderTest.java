package dev.weir.replay.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LadderTest {
    @Test
    void between_smallRange_isEveryNumber() {
        assertThat(Ladder.between(1, 5, List.of(5L))).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void between_largeRange_isFewRoundNumbersAndTheRequiredOnes() {
        List<Long> rungs = Ladder.between(1, 755, List.of(60L, 98L, 755L));

        assertThat(rungs).isSorted().hasSizeBetween(12, 18).contains(1L, 2L, 60L, 98L, 755L);
        assertThat(rungs).doesNotContain(100L, 99L, 61L);
        assertThat(rungs).allMatch(rung -> rung < 10 || rung % 5 == 0 || rung % 2 == 0);
    }

    @Test
    void between_hugeDemand_staysShort() {
        assertThat(Ladder.between(1, Long.MAX_VALUE, List.of(Long.MAX_VALUE)))
                .isSorted()
                .hasSizeLessThan(20);
    }

    @Test
    void between_onePermit_isOneRung() {
        assertThat(Ladder.between(1, 1, List.of(1L))).containsExactly(1L);
    }
}
