package dev.weir.benchmarks.report;

import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A figure of each contestant in each round. Contestants take turns, so that a machine that becomes slower or faster affects all of
 * them alike: the figures of one round were measured side by side.
 *
 * @param <C> the contestants
 */
public final class Rounds<C> {
    /** The number of rounds that only warm up: the first figures of each contestant, which are discarded. */
    public final int warm;

    private final Map<C, List<Double>> figures = new HashMap<>();

    /** Creates rounds without figures. */
    public Rounds(int warm) {
        this.warm = warm;
    }

    /** Measures a contestant. */
    public interface Turn<C, X extends Exception> {
        void take(C contestant) throws X;
    }

    /** Runs rounds after some that warm up; every other one in reverse, so that each is as often before another as after it. */
    public static <C, X extends Exception> void run(int warm, int rounds, List<C> contestants, Turn<C, X> turn)
            throws X {
        for (int round = -warm; round < rounds; round++) {
            for (C contestant : round % 2 == 0 ? contestants : Lists.reverse(contestants)) {
                turn.take(contestant);
            }
        }
    }

    /** Adds the figure of a contestant's next round. */
    public void add(C contestant, double figure) {
        figures.computeIfAbsent(contestant, first -> new ArrayList<>()).add(figure);
    }

    public boolean has(C contestant) {
        return figures.containsKey(contestant);
    }

    /** Returns a contestant's figure over all rounds. */
    public Spread of(C contestant) {
        return Spread.of(list(contestant).stream().mapToDouble(Double::doubleValue));
    }

    /** Returns the goal for a contestant's figure in units of another's: the median of the ratios, round by round. */
    public Goal goal(String what, String unit, C ours, String against, C reference, double must, double aim) {
        List<Double> figure = list(ours);
        List<Double> its = list(reference);
        if (figure.size() != its.size()) {
            throw new IllegalStateException(
                    "rounds must be as many, were " + figure.size() + " and " + its.size() + ": " + reference);
        }
        Spread ratio =
                Spread.of(IntStream.range(0, its.size()).mapToDouble(round -> figure.get(round) / its.get(round)));
        return new Goal(what, unit, of(ours), against, of(reference), ratio.median(), must, aim);
    }

    private List<Double> list(C contestant) {
        List<Double> list = Optional.ofNullable(figures.get(contestant))
                .orElseThrow(() -> new IllegalStateException("not measured: " + contestant));
        return list.subList(warm, list.size());
    }
}
