package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;

/** Any text is parsed as a limit, or refused with a message that names the place. */
@Tag("large")
class LimitFuzzTest {

    @FuzzTest
    void parse_anyText_readsOrReportsWhere(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            Limit limit = Limit.parse(text);
            assertThat(Limit.parse(limit.toString())).isEqualTo(limit);
        } catch (IllegalArgumentException refused) {
            assertThat(refused.getMessage()).containsAnyOf("column ", "characters long");
        }
    }
}
