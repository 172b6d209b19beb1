package dev.weir.algorithm;

import java.util.List;

/**
 * One limit on one key, by its definition: lists that are searched from end to end, and unbounded fractions. It shares no code
 * with the engine. Waits are nanoseconds after {@code now}; {@link #NEVER} does not end.
 */
abstract class Oracle {
    static final long NEVER = Long.MAX_VALUE;

    /** The longest wait of a reservation. */
    static final long MAX_WAIT = 1L << 61;

    /** The most instants after now that one key may have reservations at. */
    static final int MAX_PENDING = 1_024;

    private Rule rule;

    Oracle(Rule rule) {
        this.rule = rule;
    }

    static Oracle of(Rule rule, long now) {
        return switch (rule.kind()) {
            case LOG, ATTEMPTS, CONSERVATIVE, CLASSIC -> new LogOracle(rule, now);
            case ALIGNED, FIRST -> new WindowOracle(rule);
            case TOKEN_BUCKET, GCRA, LEAKY_BUCKET -> new ScheduleOracle(rule, now);
            case UNLIMITED -> new Unlimited(rule);
        };
    }

    final Rule rule() {
        return rule;
    }

    /** Continues under a changed rule of the same algorithm. */
    final void changeTo(Rule changed, long now) {
        if (!changed.limit().equals(rule.limit())) {
            change(changed, now);
        }
        rule = changed;
    }

    /** Drops what has expired. */
    void forget(long now) {}

    /** The least wait, {@code from} or longer, after which the permits fit this limit. */
    abstract long earliest(long now, long from, long permits);

    /** Whether permits that fit after a wait may be reserved there. */
    abstract boolean mayReserve(long now, long wait, long permits);

    /** If the permits may not be reserved after a wait: when to try again; else 0. */
    long retry(long now, long wait, long permits) {
        return mayReserve(now, wait, permits) ? 0 : wait;
    }

    /** Grants the permits after a wait. */
    abstract Refund grant(long now, long wait, long permits);

    /** Records a denial; returns whether this limit counts denials. */
    boolean denied(long now, long permits) {
        return false;
    }

    abstract long remaining(long now);

    abstract long resetAfter(long now);

    /** Whether the state equals that of a key never seen. */
    boolean idle(long now) {
        return resetAfter(now) == 0;
    }

    abstract void change(Rule changed, long now);

    /** Returns a copy of this state, for a peek under changed limits. */
    abstract Oracle copy();

    /** The grants that count now, as (instant, permits), oldest first. */
    List<long[]> runs(long now) {
        return List.of();
    }

    /** The pending reservations, as (instant, permits), oldest first. */
    List<long[]> pending(long now) {
        return List.of();
    }

    /** Refunds permits of one grant. */
    interface Refund {
        void permits(long permits);
    }

    static long floor(long instant, long length) {
        return instant - Math.floorMod(instant, length);
    }

    /** Adds without overflow; both are zero or more. */
    static long plus(long wait, long more) {
        return wait > NEVER - more ? NEVER : wait + more;
    }

    /** The wait until the window that starts at an instant is over. */
    static long expiry(long start, long window, long now) {
        long ahead = start - now;
        return ahead > NEVER - window ? NEVER : ahead + window;
    }

    /** A limit that never denies. */
    private static final class Unlimited extends Oracle {
        Unlimited(Rule rule) {
            super(rule);
        }

        @Override
        long earliest(long now, long from, long permits) {
            return from;
        }

        @Override
        boolean mayReserve(long now, long wait, long permits) {
            return true;
        }

        @Override
        Refund grant(long now, long wait, long permits) {
            return back -> {};
        }

        @Override
        long remaining(long now) {
            return Long.MAX_VALUE;
        }

        @Override
        long resetAfter(long now) {
            return 0;
        }

        @Override
        void change(Rule changed, long now) {}

        @Override
        Oracle copy() {
            return new Unlimited(rule());
        }
    }
}
