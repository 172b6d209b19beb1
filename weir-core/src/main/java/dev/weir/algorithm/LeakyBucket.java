package dev.weir.algorithm;

import dev.weir.Limit;

/**
 * The leaky bucket as a queue: requests leave it evenly spaced, N a window, and who finds it full is denied.
 *
 * <p><b>Promise:</b> in every window at most N requests of weight 1 leave; with weights N and the largest weight less one.
 * <b>Weakness:</b> it delays: whoever cannot wait ({@code tryAcquire}) passes only when nobody is before them;
 * and what remains is the room in the queue, whether or not one may pass it at once. <b>A denial
 * takes</b> nothing. <b>Memory:</b> one instant with its fraction. <b>Cost:</b> constant.
 */
final class LeakyBucket extends VirtualSchedule {

    LeakyBucket(Limit.LeakyBucket limit, long now) {
        super(limit, now);
    }

    @Override
    long burst() {
        return ((Limit.LeakyBucket) limit()).capacity();
    }

    /** The wait until those before have left; whether there is room to wait is another question. */
    @Override
    public long earliest(long now, long from, long permits) {
        return permits > burst() ? NEVER : Math.max(from, untilPaid(now));
    }

    @Override
    public boolean canBook(long now, long wait, long permits) {
        return untilOwed(now, permits) == 0 && super.canBook(now, wait, permits);
    }

    @Override
    public void book(long now, long wait, long permits) {
        owe(now, permits);
    }

    /** Of a full queue: the wait until it has room. */
    @Override
    public long retry(long now, long wait, long permits) {
        long full = untilOwed(now, permits);
        return full > 0 ? full : super.retry(now, wait, permits);
    }
}
