package dev.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mappings in a YAML file, and what they merge. */
final class YamlFileTest {
    private final Set<Problem> problems = new LinkedHashSet<>();
    private final YamlFile file = new YamlFile("a.yaml", problems);

    private YamlMapping mapping(String text) {
        return YamlMapping.of(file, file.read(text).orElseThrow(), "a file").orElseThrow();
    }

    @Test
    void read_documentsWithoutContent_areIgnored() {
        assertThat(mapping("domain: d\n---\n--- # nothing\n").text("domain")).isEqualTo("d");
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: *", "a: *.x", "a: &", "a: @x", "a: %2F", "a: `x`", "a: [*]"})
    void read_textThatNeedsQuotes_isSaid(String text) {
        assertThat(file.read(text)).isEmpty();
        assertThat(problems)
                .extracting(Problem::toString)
                .singleElement()
                .asString()
                .endsWith("; a text that begins with * & @ % or ` needs quotes");
    }

    @Test
    void read_otherMistakes_haveNoSuchHint() {
        assertThat(file.read("a:\n\tb: c")).isEmpty();
        assertThat(problems).singleElement().asString().doesNotContain("quotes");
    }

    @Test
    void merge_ownFieldsAndThoseOfTheFirstMapping_arePreferred() {
        YamlMapping merging = mapping("""
                a: &a {x: 1, y: 1, z: 1}
                b: &b {x: 2, w: 2}
                merging: {<<: [*a, *b], z: own}
                """).mapping("merging").orElseThrow();

        assertThat(problems).isEmpty();
        assertThat(merging.names()).containsExactlyInAnyOrder("x", "y", "z", "w");
        assertThat(merging.text("x")).isEqualTo("1");
        assertThat(merging.text("w")).isEqualTo("2");
        assertThat(merging.text("z")).isEqualTo("own");
    }

    /** The library never ends. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: &a {x: 1, <<: *a}",
                "a: &a {x: 1, <<: [*a]}",
                "a: &a {x: {<<: *a}}",
                "a: &a {x: 1, <<: {y: 2, <<: *a}}"
            })
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void merge_ofItself_isReported(String text) {
        assertThat(file.read(text)).isEmpty();
        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly("a.yaml:1:4: a mapping must not merge itself");
    }

    /** Takes some hundred bytes for each field if it is not bounded. */
    @Test
    void merge_ofManyFieldsManyTimes_isReported() {
        String fields =
                IntStream.range(0, 20_000).mapToObj(i -> "k" + i + ": 1").collect(Collectors.joining(", "));
        String text = "a: &a {" + fields + "}\n" + "b: [" + "{<<: *a}, ".repeat(990) + "]\n";

        assertThat(file.read(text)).isEmpty();
        assertThat(problems).singleElement().hasToString("a.yaml:1:4: mappings merge more than 1000000 fields");
    }

    @Test
    void merge_notAMapping_isReported() {
        assertThat(file.read("a: {<<: 5}")).isEmpty();
        assertThat(problems)
                .singleElement()
                .hasToString("a.yaml:1:11: Expected mapping node or an anchor referencing mapping");
    }

    @Test
    void key_notAText_isReportedWithItsPlace() {
        assertThat(mapping("a: 1\n? [b]\n: 2\n").names()).containsExactly("a");
        assertThat(problems).extracting(Problem::toString).containsExactly("a.yaml:2:3: a key must be a text");
    }
}
