package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.report.Spread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A figure of each contestant in each round. Those of one round were measured side by side. */
final class Rounds {
    private final String title;
    private final Map<RedisContestant, List<Double>> figures = new EnumMap<>(RedisContestant.class);

    Rounds(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Adds the figure of a contestant's next round. */
    void add(RedisContestant contestant, double figure) {
        figures.computeIfAbsent(contestant, first -> new ArrayList<>()).add(figure);
    }

    boolean has(RedisContestant contestant) {
        return figures.containsKey(contestant);
    }

    /** Returns a contestant's figure over all rounds. */
    Spread of(RedisContestant contestant) {
        return Spread.of(list(contestant).stream().mapToDouble(Double::doubleValue));
    }

    /** Returns Weir's figure in units of another's, round by round. */
    Spread ratio(RedisContestant reference) {
        List<Double> ours = list(RedisContestant.WEIR);
        List<Double> theirs = list(reference);
        if (ours.size() != theirs.size()) {
            throw new IllegalStateException(
                    "rounds must be as many, were " + ours.size() + " and " + theirs.size() + ": " + reference);
        }
        return Spread.of(IntStream.range(0, ours.size()).mapToDouble(round -> ours.get(round) / theirs.get(round)));
    }

    private List<Double> list(RedisContestant contestant) {
        List<Double> list = figures.get(contestant);
        if (list == null) {
            throw new IllegalStateException("not measured: " + contestant);
        }
        return list;
    }
}
