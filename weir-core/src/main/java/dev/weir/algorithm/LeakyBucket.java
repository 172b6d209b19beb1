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

    LeakyBucket(Limit limit) {
        super(limit, limit.accounting().burst());
    }

    /** The wait until those before have left; whether there is room to wait is another question. */
    @Override
    public long earliest(Memory memory, long now, long from, long permits) {
        return canOwe(permits) ? Math.max(from, untilPaid(memory, now)) : NEVER;
    }

    @Override
    public boolean canBook(Memory memory, long now, long wait, long permits) {
        return untilOwed(memory, now, permits) == 0 && super.canBook(memory, now, wait, permits);
    }

    @Override
    public void book(Memory memory, long now, long wait, long permits) {
        owe(memory, now, permits);
    }

    /** Of a full queue: the wait until it has room. */
    @Override
    public long retry(Memory memory, long now, long wait, long permits) {
        long full = untilOwed(memory, now, permits);
        return full > 0 ? full : super.retry(memory, now, wait, permits);
    }
}
