package dev.weir.algorithm;

import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one key under one limit: a few numbers, which are all that most keys need, and an object for the rest. Only
 * the limit's {@link Algorithm} knows what they mean.
 *
 * <p>Not thread-safe: the owner guards it and passes it to the algorithm from one thread at a time.
 */
public abstract class LimitState {
    /** The newest stamp of a log, the start of a fixed window, or a theoretical arrival time. */
    long instant;

    /** The counted permits, as {@link CompactLog} says, or the fraction of the arrival time; RunLog.MARK of a log in its general form. */
    long amount;

    // Of a log in its compact form, while it has permits.
    int span; // from the oldest to the newest stamp, in ticks
    long earlier;
    long later;
    long recent;

    @Nullable
    Object more;

    private @Nullable Epoch epoch; // since the first reservation

    /** Creates the state of a key without grants. */
    protected LimitState(long now) {
        instant = now;
    }

    /** Returns the state of a key without grants, for a limit that is not its first. */
    public static LimitState create(long now) {
        return new LimitState(now) {};
    }

    /** Returns an independent copy of a state. */
    public static LimitState copyOf(LimitState other) {
        LimitState copy = create(other.instant);
        copy.assign(other);
        if (other.more instanceof long[] array) {
            copy.more = array.clone();
        } else if (other.more instanceof Details details) {
            copy.more = details.copy();
        }
        return copy;
    }

    private void assign(LimitState other) {
        instant = other.instant;
        amount = other.amount;
        span = other.span;
        earlier = other.earlier;
        later = other.later;
        recent = other.recent;
        more = other.more;
    }

    /**
     * Moves what another state contains into this one, and leaves that without grants. Refunds of earlier reservations work as
     * before.
     */
    public final void take(LimitState other, long now) {
        assign(other);
        epoch = other.epoch;
        if (epoch != null) {
            epoch.owner = this;
        }
        other.clear(now);
    }

    /** What the reservations of a state have in common until it forgets them, wherever it is moved to. */
    private static final class Epoch {
        LimitState owner;

        Epoch(LimitState owner) {
            this.owner = owner;
        }
    }

    /** Returns what refunds permits of a reservation to the state. It has no effect once reservations are forgotten. */
    final LongConsumer createRefund(ObjLongConsumer<LimitState> refund) {
        Epoch current = epoch == null ? new Epoch(this) : epoch;
        epoch = current;
        return permits -> {
            if (current.owner.epoch == current) {
                refund.accept(current.owner, permits);
            }
        };
    }

    /** Lets refunds of earlier reservations have no effect. */
    final void forgetReservations() {
        epoch = null;
    }

    /** What a state contains beyond two numbers. */
    interface Details {
        Details copy();
    }

    /** Forgets all grants and reservations. */
    public final void clear(long now) {
        instant = now;
        amount = 0;
        earlier = 0;
        later = 0;
        recent = 0;
        more = null;
        forgetReservations();
    }
}
