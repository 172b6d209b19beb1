package dev.weir.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stress.run.ChildJvm;
import dev.weir.stress.run.Effort;
import dev.weir.stress.run.Finding;
import dev.weir.stress.run.Finding.Outcome;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Unchanged, Weir is linearizable: however threads interleave, it decides as if they came one after the other. */
final class ModelsTest {
    private static final Effort SHORT = new Effort(0, 0, 60, 60_000);

    private static Map<String, Finding> findings = Map.of();

    @BeforeAll
    static void runAll() {
        findings = ChildJvm.run(SHORT, Races.models().toList()).stream()
                .collect(Collectors.toMap(Finding::test, Function.identity()));
    }

    @ParameterizedTest
    @MethodSource("dev.weir.stress.Races#models")
    void model_unchangedWeir_isLinearizable(Class<?> model) {
        Finding finding = findings.get(model.getName());

        assertThat(finding.outcome()).as(finding.detail()).isEqualTo(Outcome.HELD);
    }
}
