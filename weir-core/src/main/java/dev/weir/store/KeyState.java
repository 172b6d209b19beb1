package dev.weir.store;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.Algorithm.GiveBack;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is remembered of one key: each of its limits' memory, its block, and the last time seen. Guarded by its own
 * monitor, and so is every method but the constructor.
 */
final class KeyState {
    private static final Algorithm[] NONE = {};
    private static final int MAX_DORMANT = 64;

    /** A limit's memory and its name. */
    private record Named(String name, Algorithm algorithm) {}

    /** Place in the order in which several states are locked. */
    final long order;

    /** Whether keys that found the store full share this state. */
    final boolean shared;

    private @Nullable Limits limits;
    private Algorithm[] algorithms = NONE; // of the limits, in their order
    private List<Named> dormant = List.of(); // of other limits, where keys with different ones share this state
    private long last;
    private long blockedUntil;
    private int clockSteps;
    private boolean awaited = true; // made for a request that has not come to it yet
    private boolean blockOnly; // stands before the common state for as long as the key is blocked
    private boolean gone;

    KeyState(long order, boolean shared, long now, int clockSteps) {
        this.order = order;
        this.shared = shared;
        this.last = now;
        this.blockedUntil = now;
        this.clockSteps = clockSteps;
    }

    /** How far a reading of the clock is behind what this key has seen. */
    long seenAfter(long reading) {
        return Math.max(0, last - reading);
    }

    /** The time of a step here: a clock's reading, kept from stepping back. */
    long nowAt(long reading) {
        return reading + seenAfter(reading);
    }

    boolean gone() {
        return gone;
    }

    /** Turns to a request: takes note of the time, of a clock that stepped back, and of changed limits. */
    void turnTo(Limits asked, long now, int steps) {
        last = now;
        awaited = false;
        if (clockSteps != steps) {
            clockSteps = steps;
            for (Named one : kept(now)) {
                one.algorithm.clockStepped();
            }
        }
        if (limits == null || !asked.equals(limits)) {
            adopt(asked, now);
        }
        limits = asked;
    }

    /** Goes on under changed limits: what bears a limit's name and is of its algorithm serves it further. */
    private void adopt(Limits asked, long now) {
        List<Named> kept = kept(now);
        Algorithm[] next = new Algorithm[asked.list().size()];
        for (int i = 0; i < next.length; i++) {
            next[i] = adopted(kept, asked.nameOf(i), asked.list().get(i), now);
        }
        algorithms = next;
        dormant = shared ? List.copyOf(kept) : List.of();
    }

    private static Algorithm adopted(List<Named> kept, String name, Limit limit, long now) {
        for (Named one : kept) {
            if (one.name.equals(name) && one.algorithm.adopt(limit, now)) {
                kept.remove(one);
                return one.algorithm;
            }
        }
        return Algorithm.of(limit, now);
    }

    private List<Named> kept(long now) {
        List<Named> kept = new ArrayList<>(dormant);
        kept.removeIf(one -> one.algorithm.idle(now));
        for (int i = 0; limits != null && i < algorithms.length; i++) {
            kept.add(new Named(limits.nameOf(i), algorithms[i]));
        }
        return kept;
    }

    /**
     * Whether these limits can be remembered beside those of the other keys that share this state, so that neither forgets
     * what it must know.
     */
    boolean hasRoomFor(Limits asked, long now) {
        if (limits == null || asked.equals(limits)) {
            return true;
        }
        List<Named> kept = kept(now);
        for (Named one : kept) {
            for (int i = 0; i < asked.list().size(); i++) {
                boolean same = one.name.equals(asked.nameOf(i));
                if (same
                        && !one.algorithm.idle(now)
                        && !one.algorithm.canAlternate(asked.list().get(i))) {
                    return false;
                }
            }
        }
        return kept.size() <= MAX_DORMANT;
    }

    /** The least wait of {@code from} or longer that fits every limit and the block. */
    long earliest(long now, long from, long permits) {
        long wait = Math.max(from, blockedUntil - now);
        while (true) {
            long before = wait;
            for (Algorithm algorithm : algorithms) {
                wait = algorithm.earliest(now, wait, permits);
                if (wait == Algorithm.NEVER) {
                    return Algorithm.NEVER;
                }
            }
            if (wait == before || algorithms.length == 1) {
                return wait;
            }
        }
    }

    boolean canBook(long now, long wait, long permits) {
        if (blockOnly) {
            return false;
        }
        for (Algorithm algorithm : algorithms) {
            if (!algorithm.canBook(now, wait, permits)) {
                return false;
            }
        }
        return true;
    }

    void book(long now, long wait, long permits) {
        for (Algorithm algorithm : algorithms) {
            algorithm.book(now, wait, permits);
        }
    }

    GiveBack reserve(long now, long wait, long permits) {
        List<GiveBack> each = new ArrayList<>(algorithms.length);
        for (Algorithm algorithm : algorithms) {
            each.add(algorithm.reserve(now, wait, permits));
        }
        return back -> each.forEach(one -> one.permits(back));
    }

    /** Tells the limits of a denial; whether one of them remembers it, so that the wait has changed. */
    boolean denied(long now, long permits) {
        boolean remembered = false;
        for (Algorithm algorithm : blockOnly ? NONE : algorithms) {
            remembered |= algorithm.denied(now, permits);
        }
        return remembered;
    }

    /** What could be had now: the least over the limits, and none while blocked. */
    long remaining(long now) {
        return blockedUntil - now > 0 ? 0 : tightest(now).remaining(now);
    }

    /** The limit with the latest fit. */
    Algorithm latest(long now, long permits) {
        Algorithm latest = algorithms[0];
        long latestWait = -1;
        for (Algorithm algorithm : algorithms) {
            long wait = algorithms.length == 1 ? 0 : algorithm.earliest(now, 0, permits);
            if (wait > latestWait) {
                latest = algorithm;
                latestWait = wait;
            }
        }
        return latest;
    }

    /** The limit with the least remaining. */
    Algorithm tightest(long now) {
        Algorithm tightest = algorithms[0];
        if (algorithms.length > 1) {
            long least = Long.MAX_VALUE;
            for (Algorithm algorithm : algorithms) {
                long remaining = algorithm.remaining(now);
                if (remaining < least) {
                    tightest = algorithm;
                    least = remaining;
                }
            }
        }
        return tightest;
    }

    /** Of a denial although ready to wait: when the limits would have it tried again. */
    long retry(long now, long wait, long permits) {
        long retry = Math.max(0, blockedUntil - now);
        for (Algorithm algorithm : algorithms) {
            retry = Math.max(retry, algorithm.retry(now, wait, permits));
        }
        return retry;
    }

    void reset(long now) {
        limits = null;
        algorithms = NONE;
        blockedUntil = now;
    }

    /** Denies everything for so long; as all that this state is there for, if another one counts for the key. */
    void block(long now, long nanos, boolean only) {
        awaited = false;
        blockOnly |= only;
        if (nanos > blockedUntil - now) {
            blockedUntil = now + nanos;
        }
    }

    /** The wait until nothing is remembered; 0 if nothing is. */
    long idleAfter(long now) {
        long wait = Math.max(0, blockedUntil - now);
        for (Algorithm algorithm : algorithms) {
            wait = Math.max(wait, algorithm.idle(now) ? 0 : Math.max(1, algorithm.resetAfter(now)));
        }
        for (Named one : dormant) {
            wait = Math.max(wait, one.algorithm.idle(now) ? 0 : Math.max(1, one.algorithm.resetAfter(now)));
        }
        return wait;
    }

    /** Leaves if nothing is remembered and nobody is on the way here; then it answers nobody any more. */
    boolean leave(long now) {
        gone = !awaited && idleAfter(nowAt(now)) == 0;
        return gone;
    }

    /** Whether this state was there to block only, and the block is over; then it leaves. */
    boolean blockIsOver(long now) {
        return blockOnly && !gone && leave(now);
    }

    /** The request that this state was made for does not come. */
    void release() {
        awaited = false;
    }
}
