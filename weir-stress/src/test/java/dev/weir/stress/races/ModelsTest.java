package dev.weir.stress.races;

import dev.weir.stress.races.Finding.Outcome;
import org.junit.jupiter.api.Test;

/** Weir is linearizable in each model. That each model can fail is a test of its own, so that both can run at the same time. */
final class ModelsTest {
    @Test
    void models_weir_areLinearizable() throws Exception {
        Findings.require(Outcome.HELD, Findings.SHORT, null, Models.all().stream());
    }
}
