package dev.weir.replay.analysis;

import java.util.ArrayList;
import java.util.List;

/**
 * The smallest limit that denies no more than a share of the keys.
 *
 * @param neverDenied the share of keys that it never denies, such as {@code 99.9}; in percent
 * @param permits the limit
 */
public record Suggestion(double neverDenied, long permits) {
    private static final int MANY = 1000;
    private static final int SOME = 100;
    private static final int FEW = 20;
    private static final double ALL = 100;

    /** Returns suggestions from the lowest limit to the one that denies nobody; fewer shares if the keys are few. */
    static List<Suggestion> of(Demand demand, int keys) {
        List<Suggestion> suggestions = new ArrayList<>();
        for (double share : shares(keys)) {
            suggestions.add(new Suggestion(share, demand.smallestLimit((long) (keys * (ALL - share) / ALL + 1e-9))));
        }
        suggestions.add(new Suggestion(ALL, demand.most()));
        return List.copyOf(suggestions);
    }

    /** A share of which the rest is less than one key would be the same as all keys. */
    private static double[] shares(int keys) {
        return keys >= MANY
                ? new double[] {99, 99.9}
                : keys >= SOME ? new double[] {95, 99} : keys >= FEW ? new double[] {90, 95} : new double[0];
    }

    /** Returns the suggestion to begin with: 99 % of the keys, or the next lower share if there are fewer than 100. */
    public static Suggestion main(List<Suggestion> suggestions) {
        return suggestions.stream()
                .filter(one -> one.neverDenied <= 99)
                .reduce((lower, higher) -> higher)
                .orElseGet(() -> suggestions.get(0));
    }

    /** Returns whether it denies nobody. */
    public boolean isForAll() {
        return neverDenied == ALL;
    }
}
