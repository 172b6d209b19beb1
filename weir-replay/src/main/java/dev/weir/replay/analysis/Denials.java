package dev.weir.replay.analysis;

import dev.weir.replay.Recording;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** How many requests of each key the first limit denies. */
public final class Denials {
    private final long[] byKey;

    private Denials(long[] byKey) {
        this.byKey = byKey;
    }

    /** Returns the denials by a limit. Reads the trace once. */
    static Denials of(Trace trace, Recording recording, int limit) throws IOException {
        long[] denied = new long[trace.keys()];
        AtomicLong request = new AtomicLong();
        trace.forEach((timeNanos, keyId, permits) ->
                denied[keyId] += recording.allowed(limit, request.getAndIncrement()) ? 0 : 1);
        return new Denials(denied);
    }

    /** Returns the numbers of the keys that are denied most. */
    List<Integer> top(Trace trace, int most) {
        return trace.top(byKey, most);
    }

    /** Returns the denied requests of each denied key, most denied first. */
    public long[] descending() {
        long[] ascending =
                Arrays.stream(byKey).filter(count -> count > 0).sorted().toArray();
        return IntStream.range(0, ascending.length)
                .mapToLong(i -> ascending[ascending.length - 1 - i])
                .toArray();
    }
}
