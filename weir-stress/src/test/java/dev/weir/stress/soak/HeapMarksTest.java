package dev.weir.stress.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HeapMarksTest {
    private static final long MEGA = 1 << 20;

    private static HeapMarks marks(long... atRest) {
        HeapMarks marks = new HeapMarks();
        for (long mark : atRest) {
            marks.addAtRest(mark * MEGA);
        }
        return marks;
    }

    @Test
    void isFlat_aLittleMore_is() {
        assertThat(marks(50, 56).isFlat()).isTrue();
    }

    @Test
    void isFlat_muchMore_isNot() {
        assertThat(marks(50, 58).isFlat()).isFalse();
    }

    @Test
    void isFlat_oneRestOnly_cannotBeTold() {
        assertThat(marks(50).canTell()).isFalse();
        assertThat(marks(50).isFlat()).isTrue();
    }
}
