package dev.weir.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.report.Effort;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.annotations.Benchmark;

final class PlanTest {

    /** A start of a second, 300 new keys in each millisecond, and the iterations. */
    private static long forkMillis(Measure measure, Effort effort) {
        int iterations = Fork.warmups(effort, measure) + Fork.iterations(effort);
        return 1_000 + measure.scenario().keys() / 300 + iterations * Fork.iterationMillis(effort);
    }

    private static Set<Measure> measures(Plan plan) {
        return Set.copyOf(plan.turns(Effort.SMOKE));
    }

    private static long minutes(Plan plan, Effort effort) {
        return plan.turns(effort).stream()
                        .mapToLong(measure -> forkMillis(measure, effort))
                        .sum()
                / 60_000;
    }

    @Test
    void goals_arePartOfEverything() {
        assertThat(measures(Plan.everything())).containsAll(measures(Plan.goals()));
    }

    @Test
    void everything_isEveryScenarioWithAllThatSupportIt() {
        Set<Measure> measures = measures(Plan.everything());

        assertThat(measures).extracting(Measure::scenario).containsAll(EnumSet.allOf(Scenario.class));
        for (Scenario scenario : Scenario.values()) {
            Set<Contestant> measured = measures.stream()
                    .filter(measure -> measure.scenario() == scenario)
                    .map(Measure::contestant)
                    .filter(contestant -> contestant != null)
                    .collect(Collectors.toSet());
            assertThat(measured).containsExactlyInAnyOrderElementsOf(scenario.contestants);
        }
    }

    @Test
    void turns_severalRounds_alternateWithinAGroup() {
        List<Measure> turns = Plan.goals().turns(Effort.QUICK);

        // a floor and five contestants, and then the same again
        assertThat(turns.subList(6, 12)).isEqualTo(turns.subList(0, 6));
        assertThat(turns.subList(0, 6)).doesNotHaveDuplicates();
        assertThat(turns).containsAll(measures(Plan.goals()));
    }

    @Test
    void efforts_takeAsLongAsStated() {
        assertThat(minutes(Plan.goals(), Effort.QUICK)).isBetween(9L, 19L);
        assertThat(minutes(Plan.everything(), Effort.FULL)).isBetween(60L, 100L);
    }

    @ParameterizedTest
    @EnumSource
    void scenario_method_isBenchmark(Scenario scenario) throws ClassNotFoundException {
        String[] parts = scenario.method.split("\\.", -1);

        Class<?> type = Class.forName(OneKey.class.getPackageName() + "." + parts[0]);

        assertThat(Arrays.stream(type.getMethods())
                        .filter(method -> method.isAnnotationPresent(Benchmark.class))
                        .map(Method::getName))
                .contains(parts[1]);
    }
}
