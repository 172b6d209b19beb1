package dev.weir.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class WordsTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void percent_isRoundedButNeverToNothingOrAll() {
        assertThat(Words.percent(0, 7)).isEqualTo("0\u00a0%");
        assertThat(Words.percent(7, 7)).isEqualTo("100\u00a0%");
        assertThat(Words.percent(757, 10_000)).isEqualTo("7.6\u00a0%");
        assertThat(Words.percent(11, 1_753)).isEqualTo("0.63\u00a0%");
        assertThat(Words.percent(1, 1_000_000)).isEqualTo("<0.01\u00a0%");
        assertThat(Words.percent(999_999, 1_000_000)).isEqualTo(">99.9\u00a0%");
    }

    @Test
    void duration_isInTheLargestUnit() {
        assertThat(Words.duration(10 * SECOND)).isEqualTo("10\u00a0s");
        assertThat(Words.duration(60 * SECOND)).isEqualTo("1\u00a0min");
        assertThat(Words.duration(1_500_000)).isEqualTo("1,500\u00a0µs");
        assertThat(Words.per(60 * SECOND)).isEqualTo("minute");
        assertThat(Words.spell(3600 * SECOND)).isEqualTo("an hour");
        assertThat(Words.spell(7200 * SECOND)).isEqualTo("2\u00a0h");
    }

    @Test
    void brief_isTheAlgorithmAndTheNumber() {
        assertThat(brief("5000/1h", "gcra 5/1s burst=3", "unlimited"))
                .containsExactly("log\u00a05,000", "gcra\u00a05", "unlimited");
    }

    @Test
    void brief_limitsThatWouldLookTheSame_haveTheirWindow() {
        assertThat(brief("10/1s", "10/1m", "fixed-window 10/1m"))
                .containsExactly("log 10/1s", "log 10/1m", "fixed\u00a010");
    }

    private static List<String> brief(String... limits) {
        return Words.brief(Stream.of(limits).map(Limit::parse).toList());
    }
}
