package dev.weir.http;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keys that a server told this process not to call until some time. The store has the same blocks, for all processes, and this
 * table adds what the store cannot do: it stops permits that were reserved before the block, and it holds if the store cannot be
 * reached. Bounded: further keys are blocked in the store only. Thread-safe.
 */
final class OutboundBlocks {
    private static final int MAX_KEYS = 1_024;
    private static final int TOLERATED_PART = 8;

    /** The stamp of a permit that the store did not grant, so that it was granted without the block of its key. */
    static final long NOT_OF_STORE = -1;

    private final ConcurrentHashMap<OutboundKey, Block> blocks = new ConcurrentHashMap<>();

    private final AtomicLong stamps = new AtomicLong();

    /**
     * A block of a key.
     *
     * @param endNanos its end
     * @param stored whether the store has it
     * @param stamp if so, requests with this stamp or a later one were decided by a store that had it
     */
    record Block(long endNanos, boolean stored, long stamp) {
        boolean stops(long requested) {
            return !stored || requested < stamp;
        }
    }

    /** Returns the stamp of a request that is about to be sent to the store. */
    long stamp() {
        return stamps.get();
    }

    /**
     * Blocks a key. Returns the block, to be stored; null if the key is blocked for as long already, give or take an eighth, or
     * the second that headers are rounded to if that is less. A block that the store had is replaced if the store has granted
     * the permit of the refused call since: it was lifted or lost.
     *
     * @param stamp that of the permit of the call, as for {@link #waitNanos}
     */
    @Nullable
    Block add(OutboundKey key, long stamp, long now, long nanos) {
        Block wanted = new Block(now + nanos, false, 0);
        long tolerance = Math.min(ServerLimits.RESOLUTION_NANOS, nanos / TOLERATED_PART);
        if (!blocks.containsKey(key) && blocks.size() >= MAX_KEYS) {
            blocks.values().removeIf(block -> block.endNanos - now <= 0);
            if (blocks.size() >= MAX_KEYS) {
                return wanted;
            }
        }
        Block kept = blocks.merge(
                key,
                wanted,
                (known, added) -> added.endNanos - known.endNanos < tolerance && known.stops(stamp) ? known : added);
        return kept.equals(wanted) ? wanted : null;
    }

    /** Notes that the store has a block of a key. One that replaced it meanwhile has to be stored itself. */
    void stored(OutboundKey key, Block block) {
        long stamp = stamps.incrementAndGet();
        blocks.computeIfPresent(
                key, (same, known) -> known.equals(block) ? new Block(block.endNanos, true, stamp) : known);
    }

    /**
     * Returns how long a permit must not be used, or a request must wait here, because the store did not know the block; zero if
     * the store decided with it. Those grants of the store hold: an operator may have lifted the block.
     *
     * @param stamp that of the request, or {@link #NOT_OF_STORE} if the store has just failed
     */
    long waitNanos(OutboundKey key, long stamp, long now) {
        Block block = blocks.get(key);
        if (block != null && block.endNanos - now <= 0) {
            blocks.remove(key, block);
            return 0;
        }
        return block != null && block.stops(stamp) ? block.endNanos - now : 0;
    }
}
