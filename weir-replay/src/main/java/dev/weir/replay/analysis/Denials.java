package dev.weir.replay.analysis;

import dev.weir.replay.Recording;
import dev.weir.replay.trace.EventConsumer;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** Which keys are denied: for the first limit how often, for the others whether. Memory: a bit for each key and limit. */
public final class Denials implements EventConsumer {
    private final Trace trace;
    private final Recording recording;
    private final int first;
    private final long[] byKey;
    private final List<BitSet> deniedKeys;
    private long request;

    private Denials(Trace trace, Recording recording, int first) {
        this.trace = trace;
        this.recording = recording;
        this.first = first;
        this.byKey = new long[trace.keys()];
        this.deniedKeys =
                recording.results().stream().map(result -> new BitSet()).toList();
    }

    /** Returns the denials of a recording; the trace is read once. */
    static Denials of(Trace trace, Recording recording, int first) throws IOException {
        Denials denials = new Denials(trace, recording, first);
        trace.forEach(denials);
        return denials;
    }

    @Override
    public void accept(long timeNanos, int keyId, long permits) {
        for (int limit = 0; limit < deniedKeys.size(); limit++) {
            if (!recording.allowed(limit, request)) {
                deniedKeys.get(limit).set(keyId);
                byKey[keyId] += limit == first ? 1 : 0;
            }
        }
        request++;
    }

    /** Returns how many keys a limit denies at least once. */
    public int keys(int limit) {
        return deniedKeys.get(limit).cardinality();
    }

    /** Returns the numbers of the keys that the first limit denies most. */
    List<Integer> top(int most) {
        return trace.top(byKey, most);
    }

    /** Returns the denied requests of each denied key at the first limit, most denied first. */
    public long[] descending() {
        long[] ascending =
                Arrays.stream(byKey).filter(count -> count > 0).sorted().toArray();
        return IntStream.range(0, ascending.length)
                .mapToLong(i -> ascending[ascending.length - 1 - i])
                .toArray();
    }
}
