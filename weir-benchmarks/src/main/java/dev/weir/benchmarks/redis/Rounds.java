package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.run.Measure.Spread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a scenario gave: a figure of each contestant in each round. Those of one round were measured side by side. */
public final class Rounds {
    private final Map<RedisContestant, List<Double>> figures = new EnumMap<>(RedisContestant.class);

    /** Adds what a contestant did in its next round. */
    public void add(RedisContestant contestant, double figure) {
        figures.computeIfAbsent(contestant, first -> new ArrayList<>()).add(figure);
    }

    /** Whether this one took part. */
    public boolean has(RedisContestant contestant) {
        return figures.containsKey(contestant);
    }

    /** Its figure over all rounds. */
    public Spread of(RedisContestant contestant) {
        return Spread.of(list(contestant), Double::doubleValue);
    }

    /** Weir's figure in units of another's, round by round. */
    public Spread ratio(RedisContestant reference) {
        List<Double> ours = list(RedisContestant.WEIR);
        List<Double> theirs = list(reference);
        if (ours.size() != theirs.size()) {
            throw new IllegalStateException(
                    "rounds must be as many, were " + ours.size() + " and " + theirs.size() + ": " + reference);
        }
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < ours.size(); round++) {
            ratios.add(ours.get(round) / theirs.get(round));
        }
        return Spread.of(ratios, Double::doubleValue);
    }

    private List<Double> list(RedisContestant contestant) {
        List<Double> list = figures.get(contestant);
        if (list == null) {
            throw new IllegalStateException("not measured: " + contestant);
        }
        return list;
    }
}
