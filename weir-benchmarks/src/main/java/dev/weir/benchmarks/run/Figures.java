package dev.weir.benchmarks.run;

import dev.weir.benchmarks.limiter.Contestant;
import dev.weir.benchmarks.run.Measure.Collector;
import dev.weir.benchmarks.run.Measure.Sample;
import dev.weir.benchmarks.run.Measure.Spread;
import dev.weir.benchmarks.run.Measure.Tail;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What all forks have measured so far. */
public final class Figures {
    private final Map<Measure, List<Sample>> samples = new LinkedHashMap<>();

    /** Adds the sample of a fork. */
    public void add(Measure measure, Sample sample) {
        samples.computeIfAbsent(measure, key -> new ArrayList<>()).add(sample);
    }

    /** Returns what has been measured, in that order. */
    public Set<Measure> measures() {
        return samples.keySet();
    }

    /** Whether it has been measured. */
    public boolean has(Measure measure) {
        return samples.containsKey(measure);
    }

    /** Returns the time of a call over all forks. */
    public Spread nanos(Measure measure) {
        return Spread.of(of(measure), Sample::nanos);
    }

    /** Returns the bytes allocated in a call over all forks. */
    public Spread bytes(Measure measure) {
        return Spread.of(of(measure), Sample::bytes);
    }

    /** Returns the slow calls of all forks: the medians of their percentiles, and the longest call. */
    public Tail tail(Measure measure) {
        return new Tail(
                Spread.of(of(measure), sample -> sample.tail().p999()).median(),
                Spread.of(of(measure), sample -> sample.tail().p9999()).median(),
                Spread.of(of(measure), sample -> sample.tail().longest()).most());
    }

    /** Returns the share of denied requests over all forks together. */
    public double deniedShare(Measure measure) {
        long allowed = of(measure).stream().mapToLong(Sample::allowed).sum();
        long denied = of(measure).stream().mapToLong(Sample::denied).sum();
        return denied == 0 ? 0 : (double) denied / (allowed + denied);
    }

    /** Returns the peer with the least median time. */
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
