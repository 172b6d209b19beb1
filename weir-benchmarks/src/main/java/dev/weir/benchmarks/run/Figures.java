package dev.weir.benchmarks.run;

import dev.weir.benchmarks.limiter.Contestant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What all forks measured so far. */
public final class Figures {
    private final Map<Measure, List<Sample>> samples = new LinkedHashMap<>();

    /** Adds what a fork measured. */
    public void add(Measure measure, Sample sample) {
        samples.computeIfAbsent(measure, key -> new ArrayList<>()).add(sample);
    }

    /** What has been measured, in the order it was begun. */
    public Set<Measure> measures() {
        return samples.keySet();
    }

    /** Whether it has been measured. */
    public boolean has(Measure measure) {
        return samples.containsKey(measure);
    }

    /** The time of a call over all forks. */
    public Spread nanos(Measure measure) {
        return Spread.of(of(measure), Sample::nanos);
    }

    /** The bytes allocated in a call over all forks. */
    public Spread bytes(Measure measure) {
        return Spread.of(of(measure), Sample::bytes);
    }

    /** The share of requests denied, over all forks together. */
    public double deniedShare(Measure measure) {
        long allowed = of(measure).stream().mapToLong(Sample::allowed).sum();
        long denied = of(measure).stream().mapToLong(Sample::denied).sum();
        return denied == 0 ? 0 : (double) denied / (allowed + denied);
    }

    /** The peer with the least median time. */
    public Measure fastestPeer(Scenario scenario, int threads, Collector collector) {
        return Contestant.peers().stream()
                .map(peer -> new Measure(scenario, peer, threads, collector))
                .filter(this::has)
                .min(Comparator.comparingDouble(measure -> nanos(measure).median()))
                .orElseThrow(() -> new IllegalStateException("no peer was measured: " + scenario.title()));
    }

    private List<Sample> of(Measure measure) {
        List<Sample> found = samples.get(measure);
        if (found == null) {
            throw new IllegalStateException("not measured: " + measure);
        }
        return found;
    }
}
