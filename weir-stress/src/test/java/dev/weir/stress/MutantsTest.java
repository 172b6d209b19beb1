package dev.weir.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stress.run.ChildJvm;
import dev.weir.stress.run.Effort;
import dev.weir.stress.run.Finding;
import dev.weir.stress.run.Finding.Outcome;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each race and each model can fail: on a copy of Weir with one thing broken, it does. */
final class MutantsTest {
    /** A race ends as soon as it detects the mutant, so this limit only matters on a busy machine. */
    private static final Effort UNTIL_CAUGHT = new Effort(240_000, 0, 1_000, 5_000);

    @ParameterizedTest
    @MethodSource("dev.weir.stress.Mutants#all")
    void mutant_racesAndModels_notice(Mutant mutant) {
        List<Finding> findings = ChildJvm.run(UNTIL_CAUGHT, MutantClasses.compiled(mutant), mutant.caughtBy());

        assertThat(findings)
                .hasSameSizeAs(mutant.caughtBy())
                .extracting(Finding::outcome)
                .isSubsetOf(Outcome.BROKEN, Outcome.HUNG);
    }
}
