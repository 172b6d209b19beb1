package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limits;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The requests of this process for one key: those that wait for their script, and the denial that answers the rest. */
final class Line {
    final String limiter;
    final String key;
    final byte[][] names;
    final int slot;

    /** In order of arrival. Guarded by the {@link Combiner}, as all that is not volatile. */
    final ArrayDeque<Call> waiting = new ArrayDeque<>();

    /** A script for this key is in flight, or is next in turn. */
    boolean busy;

    /** How often this process has lifted what it remembers. */
    int lifted;

    private volatile @Nullable Denial denial;

    Line(String limiter, String key, byte[][] names) {
        this.limiter = limiter;
        this.key = key;
        this.names = names;
        this.slot = Keys.slot(names);
    }

    /** The denial of a request by what is remembered; null if the server has to be asked. */
    @Nullable
    Decision denied(Limits limits, long permits, long maxWaitNanos) {
        Denial known = denial;
        return known == null ? null : known.of(limits, permits, maxWaitNanos, System.nanoTime());
    }

    /** Remembers a denial, unless it answers less than the one that is there; whether it did. */
    boolean remember(Denial told, long now) {
        boolean better = told.betterThan(denial, now);
        if (better) {
            denial = told;
        }
        return better;
    }

    /** Forgets this denial, if it is still the one remembered. */
    void forget(Denial old) {
        if (denial == old) {
            denial = null;
        }
    }

    /** Forgets what is remembered, and what scripts in flight will tell: it has been lifted. */
    void lift() {
        denial = null;
        lifted++;
    }

    /** Whether there is nothing that another line would not have. */
    boolean isIdle() {
        return !busy && waiting.isEmpty() && denial == null;
    }
}
