package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogOptionsTest {
    @Test
    void build_emptyKey_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogOptions.builder().key(""))
                .withMessage("key must be ip, user, path or a field's name, was empty");
    }

    @Test
    void build_nulls_areRefused() {
        assertThatNullPointerException().isThrownBy(() -> LogOptions.builder().format(null));
        assertThatNullPointerException().isThrownBy(() -> LogOptions.builder().key(null));
        assertThatNullPointerException().isThrownBy(() -> LogOptions.builder().order(null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yyyy-MM-dd HH:mm:ss",
                "dd/MMM/yyyy:HH:mm:ss Z",
                "yyyyMMdd",
                "uuuu-MM-dd'T'HH:mm:ssXXX",
                "MM/dd/yy hh:mm a"
            })
    void build_timeFormatWithDate_isAccepted(String format) {
        assertThat(LogOptions.builder().timeFormat(format).build().timeFormat()).isEqualTo(format);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HH:mm:ss", "MMM d HH:mm:ss", "", "yyyy-MM"})
    void build_timeFormatWithoutDate_isRefused(String format) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogOptions.builder().timeFormat(format))
                .withMessage("time format '" + format
                        + "' must contain at least year, month and day, as in yyyy-MM-dd HH:mm:ss");
    }

    @Test
    void build_timeFormatThatIsNone_reportsWhy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogOptions.builder().timeFormat("yyyy-bb"))
                .withMessage("time format 'yyyy-bb': Unknown pattern letter: b");
    }
}
