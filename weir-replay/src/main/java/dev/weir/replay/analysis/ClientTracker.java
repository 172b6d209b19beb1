package dev.weir.replay.analysis;

import java.util.Arrays;
import java.util.List;

/** What is collected about one key while the trace passes. */
final class ClientTracker {
    private final String key;
    private final long demand;
    private final TimeAxis axis;
    private final Timeline whole;
    private final BusiestStretch stretch;
    private final long[] denied;
    private long requests;

    ClientTracker(String key, long demand, TimeAxis axis, long cellNanos, int limits) {
        this.key = key;
        this.demand = demand;
        this.axis = axis;
        this.whole = new Timeline(axis.buckets());
        this.stretch = new BusiestStretch(cellNanos);
        this.denied = new long[limits];
    }

    /** Adds a request, as the first limit decided. */
    void add(long timeNanos, boolean allowed) {
        requests++;
        whole.add(axis.bucket(timeNanos), allowed);
        stretch.add(timeNanos, allowed);
    }

    void denied(int limit) {
        denied[limit]++;
    }

    Client client() {
        List<Long> all = Arrays.stream(denied).boxed().toList();
        return new Client(key, requests, demand, all, whole, stretch.busiest());
    }
}
