package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Whatever the text, a limit is read, or the message says where it went wrong. */
class LimitFuzzTest {

    @FuzzTest
    void parse_anyText_readsOrSaysWhere(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            Limit limit = Limit.parse(text);
            assertThat(Limit.parse(limit.toString())).isEqualTo(limit);
        } catch (IllegalArgumentException told) {
            assertThat(told.getMessage()).containsAnyOf("column ", "characters long");
        }
    }
}
