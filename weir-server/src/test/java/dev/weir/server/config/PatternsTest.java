package dev.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first of many patterns that matches. */
final class PatternsTest {
    private static final String NODE = "node";
    private static final int TRIALS = 2_000;

    private static String text(Random random, String letters) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(6);
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }

    @Test
    void first_randomPatterns_isTheFirstInTheFile() {
        Random random = new Random(1);
        int matched = 0;
        for (int i = 0; i < TRIALS; i++) {
            Patterns<String> patterns = new Patterns<>();
            List<Wildcard> all = new ArrayList<>();
            for (int j = 0; j < 8; j++) {
                Wildcard wildcard = new Wildcard(text(random, "ab") + "*" + text(random, "ab*"));
                all.add(wildcard);
                patterns.add(wildcard, NODE);
            }
            String value = text(random, "ab");
            String expected = all.stream()
                    .filter(wildcard -> wildcard.matches(value))
                    .findFirst()
                    .map(Wildcard::pattern)
                    .orElse(null);
            Patterns.Entry<String> found = patterns.first(value);

            assertThat(found == null ? null : found.wildcard().pattern())
                    .as("%s of %s", value, all)
                    .isEqualTo(expected);
            matched += expected == null ? 0 : 1;
        }
        assertThat(matched).isBetween(TRIALS / 20, TRIALS * 19 / 20);
    }

    /** A search of all patterns takes about 10 ms. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void first_manyPrefixes_doesNotReadAllPatterns() {
        Patterns<String> patterns = new Patterns<>();
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            patterns.add(new Wildcard("/api/v" + i + "/*"), NODE);
        }

        for (int i = 0; i < count; i++) {
            Patterns.Entry<String> found = patterns.first("/api/v" + (count - 1) + "/orders/" + i);
            assertThat(found).isNotNull();
        }
    }
}
