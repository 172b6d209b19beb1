package dev.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of descriptors. */
final class KeyTextTest {
    private static String key(String domain, List<String> entries) {
        KeyText text = new KeyText(domain);
        for (int i = 0; i < entries.size(); i += 2) {
            text.add(entries.get(i), entries.get(i + 1));
        }
        return text.key();
    }

    @Test
    void key_isReadable() {
        assertThat(key("edge", List.of("path", "/", "user", "ann"))).isEqualTo("edge,path=/,user=ann");
        KeyText override = new KeyText("override", "edge");
        override.add("user", "ann");
        assertThat(override.key()).isEqualTo("override,edge,user=ann");
    }

    @Test
    void keys_ofDifferentDescriptors_differ() {
        Random random = new Random(1);
        Map<String, List<String>> seen = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            List<String> entries = random.ints(2L * random.nextInt(1, 3), 0, 8)
                    .mapToObj(KeyTextTest::part)
                    .toList();
            List<String> other = seen.put(key("d", entries), entries);
            assertThat(other == null || other.equals(entries))
                    .as("%s and %s", entries, other)
                    .isTrue();
            assertThat(key("d", entries)).isNotEqualTo(new KeyText("override", "d").key());
        }
        assertThat(seen).hasSizeGreaterThan(1_000);
    }

    @Test
    void longKeys_thatDifferInUnpairedSurrogates_differ() {
        String key = "k".repeat(300);

        assertThat(KeyText.joined("api", key + '\ud800'))
                .startsWith("sha256:")
                .isNotEqualTo(KeyText.joined("api", key + '\udc00'));
    }

    private static String part(int number) {
        return List.of("a", ",", "=", "\\", "a,", "=a", "\\,", "a=b,").get(number);
    }

    @Test
    void endOfDomain_separatorsInTheDomain_areSkipped() {
        assertThat(KeyText.endOfDomain("edge,path=/")).isEqualTo(4);
        String domain = "a,b\\";
        String key = key(domain, List.of("k", "v"));

        int end = KeyText.endOfDomain(key);

        assertThat(KeyText.unescaped(key.substring(0, end))).isEqualTo(domain);
        assertThat(key.substring(end + 1)).isEqualTo("k=v");
        assertThat(KeyText.endOfDomain(key("d", List.of("k", "v".repeat(5_000)))))
                .isEqualTo(-1);
    }

    @Test
    void key_longText_isShortAndOfThatText() {
        String longKey = key("d", List.of("k", "v".repeat(5_000)));

        assertThat(longKey).hasSize("sha256:".length() + 64);
        assertThat(key("d", List.of("k", "v".repeat(5_000)))).isEqualTo(longKey);
        assertThat(key("d", List.of("k", "v".repeat(5_001)))).isNotEqualTo(longKey);
    }

    @Test
    void parse_readsWhatKeyWrites() {
        List<String> entries = List.of("a,b", "c=d\\", "e", "");

        assertThat(KeyText.parse(key("d", entries).substring(2))).isEqualTo(entries);
    }

    @Test
    void parse_backslashAtTheEnd_isText() {
        assertThat(KeyText.parse("a=b\\")).containsExactly("a", "b\\");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "=a", "a=b,c", "a=b,=c", "a=b,c,d=e"})
    void parse_notEntries_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> KeyText.parse(text));
    }
}
