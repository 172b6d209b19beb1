package dev.weir.replay.generate;

import java.util.Arrays;

/** Draws ranks so that rank r comes up in proportion to 1 / (r + 3): a few often, many seldom, as in Zipf's law. */
final class Popularity {
    private static final long SCALE = 1L << 32;
    private static final int FLATTEN = 3; // so that the first does not get a tenth of everything

    private final long[] upTo; // the weight of all ranks up to this one

    Popularity(int ranks) {
        upTo = new long[ranks];
        long sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += SCALE / (rank + FLATTEN);
            upTo[rank] = sum;
        }
    }

    int draw(SplitMix64 random) {
        long total = upTo[upTo.length - 1];
        long point = 1 + Long.remainderUnsigned(random.next(), total);
        int found = Arrays.binarySearch(upTo, point);
        return found >= 0 ? found : -found - 1;
    }
}
