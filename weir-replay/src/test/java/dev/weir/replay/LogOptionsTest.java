package dev.weir.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.weir.replay.LogOptions.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogOptionsTest {
    @Test
    void constructor_emptyKey_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LogOptions(LogFormat.AUTO, "", null, Order.TIME))
                .withMessage("key must be ip, user, path or a field's name, was empty");
    }

    @Test
    void constructor_nulls_areRefused() {
        assertThatNullPointerException().isThrownBy(() -> new LogOptions(null, "ip", null, Order.TIME));
        assertThatNullPointerException().isThrownBy(() -> new LogOptions(LogFormat.AUTO, null, null, Order.TIME));
        assertThatNullPointerException().isThrownBy(() -> new LogOptions(LogFormat.AUTO, "ip", null, null));
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
    void constructor_timeFormatWithDate_isAccepted(String format) {
        assertThat(new LogOptions(LogFormat.AUTO, "ip", format, Order.TIME).timeFormat())
                .isEqualTo(format);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HH:mm:ss", "MMM d HH:mm:ss", "", "yyyy-MM"})
    void constructor_timeFormatWithoutDate_isRefused(String format) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LogOptions(LogFormat.AUTO, "ip", format, Order.TIME))
                .withMessage("time format '" + format
                        + "' must say at least year, month and day, as in yyyy-MM-dd HH:mm:ss");
    }

    @Test
    void constructor_timeFormatThatIsNone_saysWhy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LogOptions(LogFormat.AUTO, "ip", "yyyy-bb", Order.TIME))
                .withMessage("time format 'yyyy-bb': Unknown pattern letter: b");
    }
}
