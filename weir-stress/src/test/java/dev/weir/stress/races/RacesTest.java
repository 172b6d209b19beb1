package dev.weir.stress.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stress.races.Finding.Outcome;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Weir shows no forbidden result in any race. Broken stores do: each race can fail. */
final class RacesTest {
    /** The races that {@link DeafStore} breaks. */
    private static final Set<String> IGNORED = Set.of("Block", "TwoCancels");

    private static List<String> races() {
        return Races.all().stream().map(Race::name).toList();
    }

    /** Whether {@link CachedDenialStore} breaks the race. */
    private static boolean isOfCachedDenial(String race) {
        return race.contains("Denial") || race.equals("Unblock");
    }

    @Test
    void races_weir_hold() throws Exception {
        assertThat(Findings.require(Outcome.HELD, Findings.SHORT, null, races().stream()))
                .extracting(Finding::detail)
                .allMatch(detail -> detail.matches("seen: \\{.+=\\d+}")); // one result alone: the threads never met
    }

    @Test
    void races_storeWithoutLocks_areBroken() throws Exception {
        Stream<String> races = races().stream().filter(race -> !isOfCachedDenial(race) && !IGNORED.contains(race));

        assertThat(Findings.require(Outcome.BROKEN, Findings.UNTIL_DETECTED, UnlockedStore.class, races))
                .extracting(Finding::detail)
                .noneMatch(detail -> detail.startsWith("in sequence")); // one thread gets right answers
    }

    @Test
    void races_storeThatKeepsDenials_areBroken() throws Exception {
        Stream<String> races = races().stream().filter(RacesTest::isOfCachedDenial);

        Findings.require(Outcome.BROKEN, Findings.UNTIL_DETECTED, CachedDenialStore.class, races);
    }

    @Test
    void races_storeThatIgnoresBlocksAndCancels_areBroken() throws Exception {
        Findings.require(Outcome.BROKEN, Findings.UNTIL_DETECTED, DeafStore.class, IGNORED.stream());
    }
}
