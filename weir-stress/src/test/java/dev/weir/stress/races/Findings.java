package dev.weir.stress.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stress.races.Finding.Outcome;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs races and models in another JVM, and asserts what they show. */
final class Findings {
    static final Effort SHORT = new Effort(500, 0, 60);

    /** A race ends as soon as it detects the fault, so this limit only matters on a busy machine. */
    static final Effort UNTIL_DETECTED = new Effort(240_000, 0, 1_000);

    private Findings() {}

    /** Runs races or models on a store, null for the real one, and asserts that each has the same outcome. */
    static List<Finding> require(Outcome outcome, Effort effort, @Nullable Class<?> store, Stream<String> tests)
            throws Exception {
        List<String> names = tests.toList();
        List<Finding> findings = ChildJvm.run(effort, store == null ? null : store.getName(), names);

        assertThat(findings)
                .hasSameSizeAs(names)
                .allSatisfy(finding ->
                        assertThat(finding.outcome()).as("%s", finding).isEqualTo(outcome));
        return findings;
    }
}
