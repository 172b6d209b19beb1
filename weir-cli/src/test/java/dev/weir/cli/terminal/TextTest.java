package dev.weir.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TextTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0                    | 0
                    999                  | 999
                    1000                 | 1,000
                    -1234567             | -1,234,567
                    9223372036854775807  | 9,223,372,036,854,775,807
                    """)
    void number_anyLocale_hasCommas(long value, String text) {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(Text.number(value)).isEqualTo(text);
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 7, 0.0%",
        "7, 7, 100.0%",
        "1, 2, 50.0%",
        "1, 3, 33.3%",
        "1, 1000000, <0.1%",
        "999999, 1000000, >99.9%",
        "1, 1000, 0.1%",
        "999, 1000, 99.9%",
        "1, 9223372036854775807, <0.1%",
        "9223372036854775806, 9223372036854775807, >99.9%"
    })
    void percent_roundsButNeverToNothingOrAll(long part, long whole, String text) {
        assertThat(Text.percent(part, whole)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 ms",
        "999, 999 ms",
        "1000, 1 s",
        "1234, 1.23 s",
        "59994, 59.99 s",
        "60000, 1 m 0 s",
        "3599999, 59 m 59 s",
        "3600000, 1 h 0 m",
        "86399999, 23 h 59 m",
        "86400000, 1 d 0 h",
        "9223372036854775807, '106,751,991,167 d 7 h'"
    })
    void millis_hasTheTwoUnitsThatMatter(long millis, String text) {
        assertThat(Text.millis(millis)).isEqualTo(text);
    }

    @Test
    void count_one_isSingular() {
        assertThat(Text.count(0, "line")).isEqualTo("0 lines");
        assertThat(Text.count(1, "line")).isEqualTo("1 line");
        assertThat(Text.count(2000, "line")).isEqualTo("2,000 lines");
    }

    @Test
    void width_countsColumns() {
        assertThat(Text.width("")).isZero();
        assertThat(Text.width("a1é")).isEqualTo(3);
        assertThat(Text.width("e\u0301")).isEqualTo(1);
        assertThat(Text.width("漢字")).isEqualTo(4);
        assertThat(Text.width("😀")).isEqualTo(2);
        assertThat(Text.width("━█")).isEqualTo(2);
    }

    @Test
    void clip_tooWide_endsInEllipsis() {
        assertThat(Text.clip("abcdef", 6, "…")).isEqualTo("abcdef");
        assertThat(Text.clip("abcdef", 5, "…")).isEqualTo("abcd…");
        assertThat(Text.clip("abcdef", 5, "...")).isEqualTo("ab...");
        assertThat(Text.clip("漢字漢字", 6, "…")).isEqualTo("漢字…");
        assertThat(Text.clip("😀😀", 3, "…")).isEqualTo("😀…");
    }

    @Test
    void visible_harmless_isTheSame() {
        assertThat(Text.visible("/a b?c=é&😀漢")).isEqualTo("/a b?c=é&😀漢");
    }

    @Test
    void visible_harmful_isSpelledOut() {
        assertThat(Text.visible("\u001b[2J\n\r\t\u0000")).isEqualTo("\\x1b[2J\\x0a\\x0d\\x09\\x00");
        assertThat(Text.visible("\u009b1m")).isEqualTo("\\x9b1m");
        assertThat(Text.visible("a\u202eb\u2028\ud800")).isEqualTo("a\\u202eb\\u2028\\ud800");
    }
}
