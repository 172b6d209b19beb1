package dev.weir.replay.analysis;

import java.util.Arrays;

/** Allowed and denied requests in each of a number of buckets. */
public final class Timeline {
    private final long[] allowed;
    private final long[] denied;

    Timeline(int buckets) {
        this(new long[buckets], new long[buckets]);
    }

    private Timeline(long[] allowed, long[] denied) {
        this.allowed = allowed;
        this.denied = denied;
    }

    void add(int bucket, boolean wasAllowed) {
        (wasAllowed ? allowed : denied)[bucket]++;
    }

    /** Moves the counts to earlier buckets, out at the start; the last buckets are then empty. */
    void shift(long buckets) {
        int by = (int) Math.min(buckets, allowed.length);
        for (long[] counts : new long[][] {allowed, denied}) {
            System.arraycopy(counts, by, counts, 0, counts.length - by);
            Arrays.fill(counts, counts.length - by, counts.length, 0);
        }
    }

    Timeline copy() {
        return new Timeline(allowed.clone(), denied.clone());
    }

    /** Returns a timeline of the same requests, all of them allowed. */
    public Timeline withoutDenials() {
        long[] all = new long[allowed.length];
        Arrays.setAll(all, this::total);
        return new Timeline(all, new long[allowed.length]);
    }

    /** Returns the number of buckets. */
    public int buckets() {
        return allowed.length;
    }

    /** Returns the number of requests in a bucket that were allowed. */
    public long allowed(int bucket) {
        return allowed[bucket];
    }

    /** Returns the number of requests in a bucket that were denied. */
    public long denied(int bucket) {
        return denied[bucket];
    }

    /** Returns the number of requests in a bucket. */
    public long total(int bucket) {
        return allowed[bucket] + denied[bucket];
    }

    /** Returns the most requests that were allowed in one bucket. */
    public long mostAllowed() {
        return Arrays.stream(allowed).max().orElse(0);
    }

    /** Returns the most requests that were denied in one bucket. */
    public long mostDenied() {
        return Arrays.stream(denied).max().orElse(0);
    }
}
