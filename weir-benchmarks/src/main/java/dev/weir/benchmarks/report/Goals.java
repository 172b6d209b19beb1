package dev.weir.benchmarks.report;

import dev.weir.benchmarks.limiter.Contestant;
import dev.weir.benchmarks.memory.MemoryFigures;
import dev.weir.benchmarks.run.Collector;
import dev.weir.benchmarks.run.Figures;
import dev.weir.benchmarks.run.Measure;
import dev.weir.benchmarks.run.Scenario;
import dev.weir.benchmarks.run.Spread;
import java.util.List;
import java.util.Objects;

/** The goals, and how each is worked out of the figures. They are measured under G1, which is what a server gets. */
public final class Goals {
    private static final Collector COLLECTOR = Collector.G1;

    private final Figures figures;
    private final MemoryFigures memory;

    private Goals(Figures figures, MemoryFigures memory) {
        this.figures = figures;
        this.memory = memory;
    }

    /** All of them, in the order of the table. */
    public static List<GoalResult> results(Figures figures, MemoryFigures memory) {
        return new Goals(figures, memory).results();
    }

    private List<GoalResult> results() {
        return List.of(
                goal(
                        "one key, 1 thread, admitted, against nanoTime + CAS",
                        1.5,
                        1.15,
                        floor(Scenario.BELOW, Scenario.NANO_TIME_AND_CAS, 1)),
                goal("one key, 1 thread, admitted, against the fastest peer", 1.0, 0.65, peer(Scenario.BELOW, 1)),
                goal(
                        "one key, 2 threads, below the limit, against the fastest peer",
                        0.7,
                        0.25,
                        peer(Scenario.BELOW, 2)),
                goal(
                        "one key, 2 threads, at the limit, against the fastest peer",
                        1.0,
                        0.6,
                        peer(Scenario.AT_LIMIT, 2)),
                goal(
                        "denied, against nanoTime",
                        1.6,
                        1.15,
                        floor(Scenario.DENIED, Scenario.NANO_TIME, 1),
                        floor(Scenario.DENIED, Scenario.NANO_TIME, 2)),
                goal(
                        "1,000,000 keys, against map get and clock",
                        1.6,
                        1.2,
                        floor(Scenario.KEYS_1M, Scenario.MAP_1M, 1),
                        floor(Scenario.KEYS_1M, Scenario.MAP_1M, 2)),
                goal(
                        "1,000,000 keys, against the fastest peer",
                        1.0,
                        0.8,
                        peer(Scenario.KEYS_1M, 1),
                        peer(Scenario.KEYS_1M, 2)),
                goal(
                        "bytes an entry at 1,000,000 a minute, default resolution",
                        8,
                        1.5,
                        bytes(
                                "an entry at 1,000,000 a minute, default resolution",
                                memory.bytesAnEntry(memory.weir()))),
                goal(
                        "bytes an entry at 1,000,000 a minute, resolution=1us",
                        8,
                        3,
                        bytes("an entry at 1,000,000 a minute, 1 µs", memory.bytesAnEntry(memory.weirFine()))),
                goal(
                        "bytes of an idle key without its string",
                        104,
                        64,
                        bytes("an idle key without its string", memory.weir().idleKeyBytes())),
                goal(
                        "bytes allocated per decision, against a Decision",
                        1.0,
                        0,
                        allocation("allocated per decision", Scenario.BELOW, true),
                        allocation("the same where it does not escape", Scenario.NOT_ESCAPING, false)));
    }

    private static GoalResult goal(String name, double must, double aim, Comparison... comparisons) {
        return new GoalResult(name, Better.LOWER, must, aim, List.of(comparisons));
    }

    private Comparison floor(Scenario scenario, Scenario floor, int threads) {
        return comparison(scenario, Measure.floor(floor, threads, COLLECTOR), floor.title());
    }

    private Comparison peer(Scenario scenario, int threads) {
        Measure peer = figures.fastestPeer(scenario, threads, COLLECTOR);
        return comparison(
                scenario, peer, Objects.requireNonNull(peer.contestant()).title());
    }

    private Comparison comparison(Scenario scenario, Measure reference, String against) {
        Measure ours = weir(scenario, reference.threads());
        return Comparison.ofMedians(
                scenario.title() + (reference.threads() == 1 ? ", 1 thread" : ", " + reference.threads() + " threads"),
                Unit.NANOS,
                figures.nanos(ours),
                against,
                figures.nanos(reference),
                true);
    }

    private static Comparison bytes(String what, double bytes) {
        return Comparison.alone(what, Unit.BYTES, Spread.exactly(bytes));
    }

    private Comparison allocation(String what, Scenario scenario, boolean counts) {
        return Comparison.ofMedians(
                what,
                Unit.BYTES,
                figures.bytes(weir(scenario, 1)),
                "a Decision",
                Spread.exactly((double) memory.decisionBytes()),
                counts);
    }

    private static Measure weir(Scenario scenario, int threads) {
        return new Measure(scenario, Contestant.WEIR, threads, COLLECTOR);
    }
}
