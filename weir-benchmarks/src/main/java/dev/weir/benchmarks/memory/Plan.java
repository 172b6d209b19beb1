package dev.weir.benchmarks.memory;

import dev.weir.benchmarks.memory.Measure.Collector;
import dev.weir.benchmarks.report.Effort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;

/**
 * What is measured in which order. Measures that are compared form one group; a group is measured several times, with a short fork of
 * each in turn, so that a machine that becomes slower or faster affects all of them alike.
 */
record Plan(List<List<Measure>> groups) {
    private static final EnumSet<Scenario> WAITING = EnumSet.range(Scenario.WAITING_ADMISSION, Scenario.WAITING_TAIL);

    /** Returns what the goals need. */
    static Plan goals() {
        Plan plan = new Plan(new ArrayList<>());
        plan.group(1, Collector.G1, Scenario.LOOK_UP_CAS_AND_DECISION, Scenario.BELOW);
        plan.group(1, Collector.G1, Scenario.ALLOWED_ONLY);
        plan.group(2, Collector.G1, Scenario.BELOW);
        plan.group(2, Collector.G1, Scenario.AT_LIMIT);
        for (int threads = 1; threads <= 2; threads++) {
            plan.group(threads, Collector.G1, Scenario.LOOK_UP_AND_DECISION, Scenario.DENIED);
            plan.group(threads, Collector.G1, Scenario.KEYS_100K);
            plan.group(threads, Collector.G1, Scenario.KEYS_1M);
            plan.group(threads, Collector.G1, Scenario.TWO_LIMITS);
        }
        plan.groups.add(List.of(new Measure(Scenario.TAIL, Contestant.WEIR, 4, Collector.G1)));
        plan.group(1, Collector.G1, WAITING.toArray(Scenario[]::new));
        return plan;
    }

    /** Returns everything. */
    static Plan everything() {
        Plan plan = new Plan(new ArrayList<>());
        for (Collector collector : Collector.values()) {
            for (int threads : new int[] {1, 2, 4}) {
                plan.group(threads, collector, Scenario.LOOK_UP_CAS_AND_DECISION, Scenario.BELOW);
                plan.group(threads, collector, Scenario.AT_LIMIT);
                plan.group(threads, collector, Scenario.LOOK_UP_AND_DECISION, Scenario.DENIED);
            }
            for (int threads : new int[] {1, 2}) {
                plan.group(threads, collector, Scenario.KEYS_100K);
                plan.group(threads, collector, Scenario.KEYS_1M);
                plan.group(threads, collector, Scenario.TWO_LIMITS);
            }
            plan.group(1, collector, Scenario.ALLOWED_ONLY);
        }
        plan.group(4, Collector.G1, Scenario.TAIL);
        plan.group(1, Collector.G1, WAITING.toArray(Scenario[]::new));
        return plan;
    }

    private void group(int threads, Collector collector, Scenario... scenarios) {
        List<Measure> group = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            if (scenario.contestants.isEmpty()) {
                group.add(new Measure(scenario, null, threads, collector));
            }
            for (Contestant contestant : scenario.contestants) {
                group.add(new Measure(scenario, contestant, threads, collector));
            }
        }
        groups.add(List.copyOf(group));
    }

    /** Returns each fork in its turn. */
    List<Measure> turns(Effort effort) {
        List<Measure> turns = new ArrayList<>();
        for (List<Measure> group : groups) {
            boolean hasManyKeys = group.get(0).scenario().keys() > 0;
            int rounds = hasManyKeys ? effort.of(1, 2, 3) : effort.of(1, 3, 3);
            Collections.nCopies(rounds, group).forEach(turns::addAll);
        }
        return turns;
    }
}
