package dev.weir.replay.analysis;

import dev.weir.replay.Recording;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests on which two limits differ.
 *
 * @param onlyFirst the number of requests that only the first limit allows
 * @param onlySecond the number of requests that only the second one allows
 * @param keys the number of keys of these requests
 * @param shown the earliest of these requests, at most 50
 */
public record Comparison(long onlyFirst, long onlySecond, int keys, List<Difference> shown) {
    private static final int SHOWN = 50;

    /**
     * A request on which the limits differ.
     *
     * @param timeNanos nanoseconds since the epoch
     * @param key its key
     * @param allowedBy the limit that allows it, 0 or 1
     */
    public record Difference(long timeNanos, String key, int allowedBy) {}

    /** Compares the two limits of a recording; null if there are fewer or more. Reads the trace once. */
    static @Nullable Comparison of(Trace trace, Recording recording) throws IOException {
        if (recording.results().size() != 2) {
            return null;
        }
        long[] only = new long[2];
        BitSet keys = new BitSet();
        List<Difference> shown = new ArrayList<>();
        recording.forEachDifference(trace, (timeNanos, keyId, permits, allowedBy) -> {
            only[allowedBy]++;
            keys.set(keyId);
            if (shown.size() < SHOWN) {
                shown.add(new Difference(timeNanos, trace.key(keyId), allowedBy));
            }
        });
        return new Comparison(only[0], only[1], keys.cardinality(), shown);
    }

    /** Returns the number of requests on which the limits differ. */
    public long count() {
        return onlyFirst + onlySecond;
    }
}
