package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpellingTest {
    private static final List<String> KNOWN = List.of("--limit", "--time-format", "--format", "--json", "replay");

    @Test
    void shown_whatSteersATerminalOrReordersText_isReplaced() {
        assertThat(Spelling.shown("a\r\n\t\u001b[1m\u0085\u009bm\u202eb\u2028c\ufeff\ud800 \u00e9\ud83d\ude00"))
                .isEqualTo("a????[1m??m?b?c?? \u00e9\ud83d\ude00");
    }

    @Test
    void distance_isLeastNumberOfSlips() {
        assertThat(Spelling.distance("", "")).isZero();
        assertThat(Spelling.distance("", "abc")).isEqualTo(3);
        assertThat(Spelling.distance("replay", "replay")).isZero();
        assertThat(Spelling.distance("replay", "reply")).isEqualTo(1);
        assertThat(Spelling.distance("replay", "repaly")).isEqualTo(1);
        assertThat(Spelling.distance("kitten", "sitting")).isEqualTo(3);
    }

    @Test
    void suggestion_slip_isFound() {
        assertThat(Spelling.suggestion("--limits", KNOWN)).contains("'--limit'");
        assertThat(Spelling.suggestion("--formt", KNOWN)).contains("'--format'");
        assertThat(Spelling.suggestion("-json", KNOWN)).contains("'--json'");
    }

    @Test
    void suggestion_beginning_isFound() {
        assertThat(Spelling.suggestion("--time", KNOWN)).contains("'--time-format'");
    }

    @Test
    void suggestion_anotherWord_isNone() {
        assertThat(Spelling.suggestion("--verbose", KNOWN)).isEmpty();
        assertThat(Spelling.suggestion("-x", KNOWN)).isEmpty();
    }

    @Test
    void suggestion_anotherNumber_isNone() {
        assertThat(Spelling.suggestion("0-from-right", List.of("last", "2-from-right")))
                .isEmpty();
        assertThat(Spelling.suggestion("2-form-right", List.of("last", "2-from-right")))
                .contains("'2-from-right'");
    }

    /** Words may come from requests: no memory is taken for one that is much longer than all known words. */
    @Test
    void suggestion_longWord_isNoneAtNoCost() {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        String word = "x".repeat(60_000);
        long before = thread.getCurrentThreadAllocatedBytes();

        assertThat(Spelling.suggestion(word, KNOWN)).isEmpty();

        assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(8L * word.length());
    }
}
