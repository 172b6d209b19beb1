package dev.weir.replay.analysis;

import java.util.List;
import java.util.stream.IntStream;

/** The choice of the limits to suggest: each is the smallest one that denies at most a share of the keys, or at most one of a few keys. */
public final class Suggestions {
    private static final int MANY = 1000;
    private static final int SOME = 100;
    private static final int FEW = 20;
    private static final int MAJORITY = 3; // the fewest keys of which all but one are more than half

    private Suggestions() {}

    /** Returns different limits from the lowest one to the one that denies nobody; fewer if the keys are few. */
    static List<Long> limits(Demand demand, int keys) {
        return IntStream.of(exceptions(keys))
                .mapToLong(demand::smallestLimit)
                .distinct()
                .boxed()
                .toList();
    }

    /** Returns the one of the limits to begin with. */
    static long main(Demand demand, int keys) {
        return demand.smallestLimit(mainExceptions(keys));
    }

    /** Returns how many keys each suggestion may deny: 1 % and 0.1 % of many keys, larger shares of fewer keys, and none. */
    private static int[] exceptions(int keys) {
        return keys >= MANY
                ? new int[] {keys / 100, keys / 1000, 0}
                : keys >= SOME
                        ? new int[] {keys / 20, keys / 100, 0}
                        : keys >= FEW ? new int[] {keys / 10, keys / 20, 0} : new int[] {mainExceptions(keys), 0};
    }

    /**
     * Returns how many keys the main suggestion may deny: 1 %, or 5 % of fewer than 100. Of fewer than 20 it is one, so that
     * the key with the highest demand does not decide; of one or two keys none, since nothing shows which one is usual.
     */
    private static int mainExceptions(int keys) {
        return keys >= SOME ? keys / 100 : keys >= FEW ? keys / 20 : keys >= MAJORITY ? 1 : 0;
    }

    /** Returns whether the keys are too few for a share of them. */
    public static boolean areOfFew(int keys) {
        return keys < FEW;
    }
}
