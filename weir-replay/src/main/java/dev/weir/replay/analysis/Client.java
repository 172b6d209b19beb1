package dev.weir.replay.analysis;

/** One key in detail. */
public final class Client {
    private final String key;
    private final long demand;
    private final Timeline whole;
    private final BusiestStretch stretch;
    private final long[] denied;
    private long requests;

    Client(String key, long demand, int buckets, long cellNanos, int limits) {
        this.key = key;
        this.demand = demand;
        this.whole = new Timeline(buckets);
        this.stretch = new BusiestStretch(cellNanos);
        this.denied = new long[limits];
    }

    /** Adds a request in a bucket of the traffic, as the first limit decided. */
    void add(int bucket, long timeNanos, boolean allowed) {
        requests++;
        whole.add(bucket, allowed);
        stretch.add(timeNanos, allowed);
    }

    void addDenial(int limit) {
        denied[limit]++;
    }

    /** Returns the key's text. */
    public String key() {
        return key;
    }

    /** Returns the number of its requests. */
    public long requests() {
        return requests;
    }

    /** Returns the most permits that it requests in any window of the first limit. */
    public long demand() {
        return demand;
    }

    /** Returns the number of its requests that a limit denied. */
    public long denied(int limit) {
        return denied[limit];
    }

    /** Returns its requests on the axis of the traffic, as the first limit decided. */
    public Timeline whole() {
        return whole;
    }

    /** Returns the stretch with most of its requests, as the first limit decided. */
    public Timeline busiest() {
        return stretch.busiest();
    }
}
