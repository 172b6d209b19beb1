package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limits;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The requests of this process for one key that wait for their script, and the key's cached denial. */
final class Line {
    final String limiter;
    final String key;
    final byte[][] names;
    final int slot;

    /** In order of arrival. Guarded by the {@link Combiner}, as all that is not volatile. */
    final ArrayDeque<Call> waiting = new ArrayDeque<>();

    /** Whether a script for this key is in flight or about to be sent. */
    boolean busy;

    /** How often this process has discarded the key's cached denial. */
    int lifted;

    private volatile @Nullable Denial denial;

    Line(String limiter, String key, byte[][] names) {
        this.limiter = limiter;
        this.key = key;
        this.names = names;
        this.slot = Keys.slot(names);
    }

    /** Returns the cached denial of a request; null if the server must decide. */
    @Nullable
    Decision denied(Limits limits, long permits, long maxWaitNanos) {
        Denial known = denial;
        return known == null ? null : known.of(limits, permits, maxWaitNanos, System.nanoTime());
    }

    /** Caches a denial unless the cached one answers more requests. Returns whether it did. */
    boolean remember(Denial told, long now) {
        boolean better = told.betterThan(denial, now);
        if (better) {
            denial = told;
        }
        return better;
    }

    /** Discards a denial if it is still the cached one. */
    void forget(Denial old) {
        if (denial == old) {
            denial = null;
        }
    }

    /** Discards the cached denial, and those that scripts in flight will return. */
    void lift() {
        denial = null;
        lifted++;
    }

    /** Whether this line has no state, so that it can be removed and created again. */
    boolean isIdle() {
        return !busy && waiting.isEmpty() && denial == null;
    }
}
