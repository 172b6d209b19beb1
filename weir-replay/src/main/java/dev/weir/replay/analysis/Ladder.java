package dev.weir.replay.analysis;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The limits of a curve: about equal ratios apart, rounded, from one that denies half of the keys to one that denies nobody. */
final class Ladder {
    private static final int RUNGS = 15;
    private static final double NEAR = 0.07; // a rung this close to a required one is left out
    private static final long[] MANTISSAS = {
        100, 120, 140, 160, 180, 200, 250, 300, 350, 400, 450, 500, 600, 700, 800, 900
    };

    private Ladder() {}

    /** Returns the limits in ascending order, among them those that are required. */
    static List<Long> between(long least, long most, Collection<Long> required) {
        TreeSet<Long> rungs = new TreeSet<>(required);
        long rung = least;
        for (int left = RUNGS; left > 0 && rung < most; left--) {
            if (required.stream().noneMatch(isNear(rung))) {
                rungs.add(rung);
            }
            double ratio = Math.pow((double) most / rung, 1.0 / left);
            rung = Math.max(rung + 1, rounded(rung * ratio));
        }
        return List.copyOf(rungs);
    }

    private static Predicate<Long> isNear(long rung) {
        return one -> Math.abs((double) one - rung) < NEAR * rung;
    }

    /** Rounds to a number with two digits that people would choose; below 10 to a whole number. */
    private static long rounded(double value) {
        if (value < 10) {
            return Math.max(1, Math.round(value));
        }
        double unit = Math.pow(10, Math.floor(Math.log10(value)) - 2);
        double mantissa = value / unit;
        long best = MANTISSAS[0];
        for (long candidate : MANTISSAS) {
            best = Math.abs(candidate - mantissa) < Math.abs(best - mantissa) ? candidate : best;
        }
        return Math.round(best * unit);
    }
}
