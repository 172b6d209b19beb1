package dev.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Patterns with {@code *}. */
final class WildcardTest {
    private static final int TRIALS = 100_000;

    @Test
    void matches_randomTexts_asRegularExpression() {
        Random random = new Random(1);
        int matched = 0;
        for (int i = 0; i < TRIALS; i++) {
            String pattern = text(random, "ab*");
            String value = text(random, "ab");
            boolean expected = Pattern.matches(pattern.replace("*", ".*"), value);

            assertThat(new Wildcard(pattern).matches(value))
                    .as("%s on %s", pattern, value)
                    .isEqualTo(expected);
            matched += expected ? 1 : 0;
        }
        assertThat(matched).isBetween(TRIALS / 20, TRIALS / 2);
    }

    private static String text(Random random, String letters) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(7);
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }
}
