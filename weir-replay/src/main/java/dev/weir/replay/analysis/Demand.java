package dev.weir.replay.analysis;

import dev.weir.Limit;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.Arrays;

/**
 * The most permits that each key requests in any window. A sliding log of N permits denies a key if and only if that is more than
 * N: until its first denial, the log contains everything that the key requested.
 */
public final class Demand {
    private final long[] byKey;
    private final long[] ascending;

    private Demand(long[] byKey) {
        this.byKey = byKey;
        this.ascending = byKey.clone();
        Arrays.sort(ascending);
    }

    /** Returns the demand in windows as long as those of a limit. Reads the trace once. */
    static Demand of(Trace trace, Limit log) throws IOException {
        long[] most = new long[trace.keys()];
        SlidingLogs all = new SlidingLogs(Limit.slidingLog(Long.MAX_VALUE, log.window()));
        trace.forEach((time, key, permits) -> {
            long sum = all.admit(key, time, permits);
            most[key] = Math.max(most[key], sum < 0 ? Long.MAX_VALUE : sum); // denied: more than can be counted
        });
        return new Demand(most);
    }

    /** Returns the most permits that a key requests in a window. */
    public long of(int key) {
        return byKey[key];
    }

    /** Returns the most permits that any key requests in a window. */
    public long most() {
        return ascending[ascending.length - 1];
    }

    /** Returns how many keys a limit of the given number of permits denies. */
    int keysAbove(long permits) {
        return (int) Arrays.stream(byKey).filter(demand -> demand > permits).count();
    }

    /** Returns the smallest limit that denies at most the given number of keys, which is less than all. */
    long smallestLimit(int deniedKeys) {
        return ascending[ascending.length - 1 - deniedKeys];
    }
}
