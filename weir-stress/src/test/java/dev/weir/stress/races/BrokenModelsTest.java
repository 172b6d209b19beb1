package dev.weir.stress.races;

import dev.weir.stress.races.Finding.Outcome;
import org.junit.jupiter.api.Test;

/** A broken store is not linearizable in any model: each model can fail. */
final class BrokenModelsTest {
    @Test
    void models_storeWithoutLocks_areBroken() throws Exception {
        Findings.require(Outcome.BROKEN, Findings.UNTIL_DETECTED, UnlockedStore.class, Models.all().stream());
    }
}
