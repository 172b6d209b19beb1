package dev.weir.store;

import dev.weir.Limits;
import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.Algorithm.GiveBack;
import dev.weir.algorithm.Algorithms;
import java.util.ArrayList;
import java.util.List;

/**
 * Limits and the algorithms that keep them, in their order, and what they say together. Immutable; one object serves all keys
 * under these limits.
 */
final class Rules {
    final Limits limits;
    final Algorithm first;
    final Algorithm[] all; // never changed

    Rules(Limits limits) {
        this.limits = limits;
        this.all = limits.list().stream().map(Algorithms::of).toArray(Algorithm[]::new);
        this.first = all[0];
    }

    int size() {
        return all.length;
    }

    /** The least wait of {@code from} or longer that fits every limit; {@link Algorithm#NEVER} if none does. */
    long earliest(KeyState key, long now, long from, long permits) {
        long wait = from;
        while (true) {
            long before = wait;
            for (int i = 0; i < all.length; i++) {
                wait = all[i].earliest(key.memory(i), now, wait, permits);
                if (wait == Algorithm.NEVER) {
                    return Algorithm.NEVER;
                }
            }
            if (wait == before || all.length == 1) {
                return wait;
            }
        }
    }

    boolean canBook(KeyState key, long now, long wait, long permits) {
        for (int i = 0; i < all.length; i++) {
            if (!all[i].canBook(key.memory(i), now, wait, permits)) {
                return false;
            }
        }
        return true;
    }

    void book(KeyState key, long now, long wait, long permits) {
        for (int i = 0; i < all.length; i++) {
            all[i].book(key.memory(i), now, wait, permits);
        }
    }

    GiveBack reserve(KeyState key, long now, long wait, long permits) {
        List<GiveBack> each = new ArrayList<>(all.length);
        for (int i = 0; i < all.length; i++) {
            each.add(all[i].reserve(key.memory(i), now, wait, permits));
        }
        return back -> each.forEach(one -> one.permits(back));
    }

    /** The limit with the latest fit. */
    int latest(KeyState key, long now, long permits) {
        int latest = 0;
        long latestWait = -1;
        for (int i = 0; i < all.length && all.length > 1; i++) {
            long wait = all[i].earliest(key.memory(i), now, 0, permits);
            if (wait > latestWait) {
                latest = i;
                latestWait = wait;
            }
        }
        return latest;
    }

    /** The limit with the least remaining. */
    int tightest(KeyState key, long now) {
        int tightest = 0;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < all.length && all.length > 1; i++) {
            long remaining = all[i].remaining(key.memory(i), now);
            if (remaining < least) {
                tightest = i;
                least = remaining;
            }
        }
        return tightest;
    }
}
