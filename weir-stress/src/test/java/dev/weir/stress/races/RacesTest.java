package dev.weir.stress.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stress.races.Finding.Outcome;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Weir shows no forbidden result. Broken stores do: each race and each model can fail. */
final class RacesTest {
    private static final Effort SHORT = new Effort(500, 0, 60);

    /** A race ends as soon as it detects the fault, so this limit only matters on a busy machine. */
    private static final Effort UNTIL_DETECTED = new Effort(240_000, 0, 1_000);

    /** The races that {@link DeafStore} breaks. */
    private static final Set<String> IGNORED = Set.of("Block", "TwoCancels");

    private static List<String> races() {
        return Races.all().stream().map(Race::name).toList();
    }

    /** Whether {@link CachedDenialStore} breaks the race. */
    private static boolean isOfCachedDenial(String race) {
        return race.contains("Denial") || race.equals("Unblock");
    }

    private static List<Finding> run(Effort effort, @Nullable Class<?> store, Stream<String> tests, Outcome... expected)
            throws Exception {
        List<String> names = tests.toList();
        List<Finding> findings = ChildJvm.run(effort, store == null ? null : store.getName(), names);

        assertThat(findings)
                .hasSameSizeAs(names)
                .allSatisfy(finding ->
                        assertThat(finding.outcome()).as("%s", finding).isIn((Object[]) expected));
        return findings;
    }

    @Test
    void races_weir_hold() throws Exception {
        run(SHORT, null, races().stream(), Outcome.HELD);
    }

    @Test
    void models_weir_areLinearizable() throws Exception {
        run(SHORT, null, Models.all().stream(), Outcome.HELD);
    }

    @Test
    void races_storeWithoutLocks_areBroken() throws Exception {
        Stream<String> races = races().stream().filter(race -> !isOfCachedDenial(race) && !IGNORED.contains(race));

        assertThat(run(UNTIL_DETECTED, UnlockedStore.class, races, Outcome.BROKEN))
                .extracting(Finding::detail)
                .noneMatch(detail -> detail.startsWith("in sequence")); // one thread gets right answers
    }

    @Test
    void races_storeThatKeepsDenials_areBroken() throws Exception {
        Stream<String> races = races().stream().filter(RacesTest::isOfCachedDenial);

        run(UNTIL_DETECTED, CachedDenialStore.class, races, Outcome.BROKEN);
    }

    @Test
    void races_storeThatIgnoresBlocksAndCancels_areBroken() throws Exception {
        run(UNTIL_DETECTED, DeafStore.class, IGNORED.stream(), Outcome.BROKEN);
    }

    @Test
    void models_storeWithoutLocks_areBroken() throws Exception {
        run(UNTIL_DETECTED, UnlockedStore.class, Models.all().stream(), Outcome.BROKEN);
    }
}
