package dev.weir.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stress.run.ChildJvm;
import dev.weir.stress.run.Effort;
import dev.weir.stress.run.Finding;
import dev.weir.stress.run.Finding.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Unchanged, Weir shows no forbidden outcome. */
final class RacesTest {
    private static final Effort SHORT = new Effort(500, 0, 0, 60_000);
    private static final Path SOURCES = Path.of("src/main/java/dev/weir/stress");

    private static Map<String, Finding> findings = Map.of();

    @BeforeAll
    static void runAll() {
        findings = ChildJvm.run(SHORT, Races.all().toList()).stream()
                .collect(Collectors.toMap(Finding::test, Function.identity()));
    }

    @ParameterizedTest
    @MethodSource("dev.weir.stress.Races#all")
    void race_unchangedWeir_showsNothingForbidden(Class<?> race) {
        Finding finding = findings.get(race.getName());

        assertThat(finding.outcome()).as(finding.detail()).isEqualTo(Outcome.HELD);
    }

    @Test
    void races_allSources_areFoundAndHaveAMutant() throws IOException {
        Set<String> sources = new HashSet<>();
        for (String kind : List.of("races", "models")) {
            try (Stream<Path> files = Files.list(SOURCES.resolve(kind))) {
                files.map(file -> file.getFileName().toString().replace(".java", ""))
                        .filter(name -> name.matches("\\w+(Race|Model)"))
                        .forEach(sources::add);
            }
        }
        Set<String> found = Stream.concat(Races.all(), Races.models())
                .map(Class::getSimpleName)
                .collect(Collectors.toSet());
        Set<String> withMutant = Mutants.all()
                .flatMap(mutant -> mutant.caughtBy().stream())
                .map(Class::getSimpleName)
                .collect(Collectors.toSet());

        assertThat(found).isEqualTo(sources).isEqualTo(withMutant);
    }
}
