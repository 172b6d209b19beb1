package dev.weir.benchmarks.memory;

import dev.weir.benchmarks.memory.Measure.Collector;
import dev.weir.benchmarks.memory.Measure.Sample;
import dev.weir.benchmarks.report.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** What all forks have measured so far. */
final class Figures {
    private final Map<Measure, List<Sample>> samples = new LinkedHashMap<>();

    /** Adds the sample of a fork. */
    void add(Measure measure, Sample sample) {
        samples.computeIfAbsent(measure, key -> new ArrayList<>()).add(sample);
    }

    /** Returns what has been measured, in that order. */
    Set<Measure> measures() {
        return samples.keySet();
    }

    /** Whether it has been measured. */
    boolean has(Measure measure) {
        return samples.containsKey(measure);
    }

    /** Returns the time of a call over all forks. */
    Spread nanos(Measure measure) {
        return of(measure, Sample::nanos);
    }

    /** Returns a figure over all forks. */
    Spread of(Measure measure, ToDoubleFunction<Sample> figure) {
        return Spread.of(samplesOf(measure).stream().mapToDouble(figure));
    }

    /** Returns the share of denied requests over all forks together. */
    double deniedShare(Measure measure) {
        long allowed = samplesOf(measure).stream().mapToLong(Sample::allowed).sum();
        long denied = samplesOf(measure).stream().mapToLong(Sample::denied).sum();
        return denied == 0 ? 0 : (double) denied / (allowed + denied);
    }

    /** Returns the peer with the least median time. */
    Measure fastestPeer(Scenario scenario, int threads, Collector collector) {
        return Contestant.peers().stream()
                .map(peer -> new Measure(scenario, peer, threads, collector))
                .filter(this::has)
                .min(Comparator.comparingDouble(measure -> nanos(measure).median()))
                .orElseThrow(() -> new IllegalStateException("no peer was measured: " + scenario.title));
    }

    private List<Sample> samplesOf(Measure measure) {
        return Optional.ofNullable(samples.get(measure))
                .orElseThrow(() -> new IllegalStateException("not measured: " + measure));
    }
}
