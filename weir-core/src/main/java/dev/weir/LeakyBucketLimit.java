package dev.weir;

/**
 * A leaky bucket: a queue that requests leave evenly spaced, N = {@link #permits()} permits per window, with room for {@link
 * #capacity()} permits. A request that finds the queue full is denied.
 *
 * <p>Guarantee: at most N permits leave the queue in any window; with weighted requests, N + (largest weight - 1).
 *
 * <p>Weakness: it delays requests. A caller that cannot wait ({@code tryAcquire} without {@code maxWait}) is allowed only if
 * the queue is empty. {@link Decision#remaining()} is the room in the queue, whether or not a request could pass at once.
 *
 * <p>A denied request consumes nothing. A refund is exact for the newest grant; an older one is forfeited. Memory: one instant
 * with its fraction. Time: constant.
 */
public final class LeakyBucketLimit extends Limit {
    private final long capacity;

    LeakyBucketLimit(String name, long permits, long windowNanos, long capacity) {
        super(name, permits, windowNanos);
        Checks.burst("capacity", capacity, permits, windowNanos);
        this.capacity = capacity;
    }

    /** {@return the number of permits that fit into the queue; by default N} */
    public long capacity() {
        return capacity;
    }

    /** {@return the capacity: the most permits that one request can be granted} */
    @Override
    public long maxPermitsPerRequest() {
        return capacity;
    }

    /**
     * Returns this limit with another capacity.
     *
     * @param capacity the number of permits that fit into the queue, at least 1; {@code capacity * window / permits} must be at most 292 years
     * @return a limit that differs in its capacity only
     */
    public LeakyBucketLimit capacity(long capacity) {
        return new LeakyBucketLimit(name(), permits(), windowNanos(), capacity);
    }

    @Override
    public LeakyBucketLimit named(String name) {
        return new LeakyBucketLimit(name, permits(), windowNanos(), capacity);
    }

    @Override
    LeakyBucketLimit share(double share) {
        long part = share(permits(), share);
        long capacityPart = Math.min(share(capacity, share), Checks.maxBurst(part, windowNanos()));
        return new LeakyBucketLimit(name(), part, windowNanos(), capacityPart);
    }

    @Override
    Object options() {
        return capacity;
    }
}
