package dev.weir.replay;

import dev.weir.replay.Recording.Difference;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The requests on which two limits differ.
 *
 * @param onlyFirst the number of requests that only the first limit admits
 * @param onlySecond the number of requests that only the second one admits
 * @param keys the number of keys of these requests
 * @param earliest the earliest of these requests
 */
public record Comparison(long onlyFirst, long onlySecond, int keys, List<Difference> earliest) {
    /**
     * Compares the first two limits of a recording. Reads the trace once.
     *
     * @param trace the trace that was replayed
     * @param recording the decisions on its requests
     * @param most the largest number of requests that are listed
     * @return the comparison
     * @throws IOException if the temporary file of the trace cannot be read
     * @throws IllegalStateException if the trace is closed
     */
    public static Comparison of(Trace trace, Recording recording, int most) throws IOException {
        long[] only = new long[2];
        BitSet keys = new BitSet();
        List<Difference> earliest = new ArrayList<>();
        recording.forEachDifference(trace, difference -> {
            only[difference.allowedBy()]++;
            keys.set(difference.keyId());
            if (earliest.size() < most) {
                earliest.add(difference);
            }
        });
        return new Comparison(only[0], only[1], keys.cardinality(), earliest);
    }

    /** {@return the number of requests on which the limits differ} */
    public long count() {
        return onlyFirst + onlySecond;
    }
}
