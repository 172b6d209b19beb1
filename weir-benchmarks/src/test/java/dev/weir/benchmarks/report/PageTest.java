package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PageTest {
    private static final String EMPTY = """
            # Title

            <!-- bench: goals -->
            <!-- bench: end -->

            Prose.

            <!-- bench: times -->
            old
            <!-- bench: end -->
            <!-- bench: memory -->
            <!-- bench: end -->
            """;

    @Test
    void filled_places_haveTheirSectionsAndProseStays() {
        List<Section> sections =
                List.of(new Section("goals", "G\n"), new Section("times", "T\n"), new Section("memory", "M\n"));

        String filled = Page.filled(EMPTY, sections);

        assertThat(filled).isEqualTo("""
                # Title

                <!-- bench: goals -->

                G

                <!-- bench: end -->

                Prose.

                <!-- bench: times -->

                T

                <!-- bench: end -->
                <!-- bench: memory -->

                M

                <!-- bench: end -->
                """);
        assertThat(Page.filled(filled, sections)).isEqualTo(filled);
    }

    @Test
    void hasPlaces_oneMissing_isFalse() {
        assertThat(Page.hasPlaces(EMPTY, Section.MEMORY)).isTrue();
        assertThat(Page.hasPlaces(EMPTY.replace("bench: times", "bench: time"), Section.MEMORY))
                .isFalse();
        assertThat(Page.hasPlaces("<!-- bench: goals -->", Section.MEMORY)).isFalse();
    }

    @Test
    void all_sections_sayWhereAndHowTheyWereMeasured() {
        List<Section> sections =
                Section.all(Fixed.MACHINE, Fixed.COMMAND, Fixed.results(), Fixed.figures(), Fixed.MEMORY);

        assertThat(sections).extracting(Section::name).containsExactlyElementsOf(Section.MEMORY);
        assertThat(sections)
                .allSatisfy(section -> assertThat(section.text())
                        .startsWith("A processor, 2 cores; A JVM 17; 2026-11-21; load 0.10 at the start;"
                                + " `./bench memory --quick`\n\n| "));
    }
}
