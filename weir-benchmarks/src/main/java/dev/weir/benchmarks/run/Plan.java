package dev.weir.benchmarks.run;

import dev.weir.benchmarks.limiter.Contestant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is measured in which order. Measures that are compared stand in one group; a group is gone through several times,
 * a short fork of each in turn, so that a machine that gets slower or faster does it to all of them alike.
 */
public final class Plan {
    private static final EnumSet<Scenario> LIMITS = EnumSet.range(Scenario.BELOW_10, Scenario.BELOW_1M);
    private static final EnumSet<Scenario> ALGORITHMS = EnumSet.range(Scenario.SLIDING_WINDOW, Scenario.GCRA);

    private final List<List<Measure>> groups = new ArrayList<>();

    private Plan() {}

    /** What the goals need. */
    public static Plan goals() {
        Plan plan = new Plan();
        plan.group(1, Collector.G1, Scenario.NANO_TIME_AND_CAS, Scenario.LOOK_UP_AND_DECISION, Scenario.BELOW);
        plan.group(2, Collector.G1, Scenario.BELOW);
        plan.group(2, Collector.G1, Scenario.AT_LIMIT);
        for (int threads = 1; threads <= 2; threads++) {
            plan.groups.add(List.of(
                    Measure.floor(Scenario.NANO_TIME, threads, Collector.G1),
                    new Measure(Scenario.DENIED, Contestant.WEIR, threads, Collector.G1)));
            plan.group(threads, Collector.G1, Scenario.MAP_1M, Scenario.KEYS_1M);
        }
        plan.groups.add(List.of(new Measure(Scenario.NOT_ESCAPING, Contestant.WEIR, 1, Collector.G1)));
        return plan;
    }

    /** Everything. */
    public static Plan everything() {
        Plan plan = new Plan();
        for (Collector collector : Collector.values()) {
            for (int threads : new int[] {1, 2, 4}) {
                plan.group(
                        threads, collector, Scenario.NANO_TIME_AND_CAS, Scenario.LOOK_UP_AND_DECISION, Scenario.BELOW);
                plan.group(threads, collector, Scenario.AT_LIMIT);
                plan.group(threads, collector, Scenario.NANO_TIME, Scenario.DENIED);
            }
            for (int threads : new int[] {1, 2}) {
                plan.group(threads, collector, Scenario.MAP_100K, Scenario.KEYS_100K);
                plan.group(threads, collector, Scenario.MAP_1M, Scenario.KEYS_1M);
                plan.group(threads, collector, Scenario.TWO_LIMITS);
                for (Scenario limit : LIMITS) {
                    plan.group(threads, collector, limit);
                }
            }
            plan.group(1, collector, Scenario.NOT_ESCAPING);
            plan.group(1, collector, ALGORITHMS.toArray(Scenario[]::new));
        }
        return plan;
    }

    private void group(int threads, Collector collector, Scenario... scenarios) {
        List<Measure> group = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            if (scenario.contestants().isEmpty()) {
                group.add(Measure.floor(scenario, threads, collector));
            }
            for (Contestant contestant : scenario.contestants()) {
                group.add(new Measure(scenario, contestant, threads, collector));
            }
        }
        groups.add(List.copyOf(group));
    }

    /** Every fork in its turn. */
    public List<Measure> turns(int rounds) {
        List<Measure> turns = new ArrayList<>();
        for (List<Measure> group : groups) {
            for (int round = 0; round < rounds; round++) {
                turns.addAll(group);
            }
        }
        return turns;
    }

    /** What is measured, each once. */
    public Set<Measure> measures() {
        Set<Measure> measures = new LinkedHashSet<>();
        groups.forEach(measures::addAll);
        return measures;
    }
}
