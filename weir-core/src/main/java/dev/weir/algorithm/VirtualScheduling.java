package dev.weir.algorithm;

import dev.weir.Accounting.Method;
import dev.weir.Limit;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;

/**
 * The virtual scheduling algorithm (ITU-T I.371), as GCRA, token bucket and leaky bucket use it. The state is one number, the
 * theoretical arrival time: the instant at which all granted permits are paid for.
 *
 * <p>Exact: a permit costs {@code window / N}, kept with its remainder, so that 3 per second are not 3 times 333,333,333 ns.
 * Only debts are compared, never sums since the epoch, so nothing overflows. A refund is exact for the newest grant; permits of
 * an older one are forfeited, which is safe. Constant time.
 */
/*
 * The arrival time is `instant` nanoseconds and `amount` N-ths of one. Debt is what is left of it at an instant. A limit admits while
 * the debt stays within its burst: a token bucket is full again at the arrival time, and its tokens are not counted. A leaky bucket is
 * a queue: it starts a request when the debt of those before it is paid.
 */
final class VirtualScheduling implements Algorithm {
    private final Limit limit;
    private final Method method;
    private final long rate;
    private final long window;
    private final long burst;
    private final boolean queue;
    private final Amount cost; // of one permit
    private final Amount mostForOne; // the debt that leaves room for one permit

    /** Nanoseconds, and N-ths of one. */
    private record Amount(long nanos, long fraction) {}

    VirtualScheduling(Limit limit) {
        this.limit = limit;
        this.method = limit.accounting().method();
        this.rate = limit.permits();
        this.window = limit.accounting().windowNanos();
        this.burst = limit.accounting().burst();
        this.queue = method == Method.QUEUE;
        this.cost = amount(1);
        this.mostForOne = amount(burst - 1);
    }

    @Override
    public Limit limit() {
        return limit;
    }

    @Override
    public long earliest(LimitState state, long now, long from, long permits) {
        if (permits > burst) {
            return NEVER;
        }
        return Math.max(from, queue ? untilPaid(state, now) : untilRoomFor(state, now, permits));
    }

    /** Grants only at this limit's own earliest fit: a later start would block the limit for others meanwhile. */
    @Override
    public boolean canGrant(LimitState state, long now, long wait, long permits) {
        boolean hasRoom = !queue || untilRoomFor(state, now, permits) == 0;
        return hasRoom && (wait == 0 || wait == earliest(state, now, 0, permits));
    }

    @Override
    public void grant(LimitState state, long now, long permits) {
        grant(state, now, 0, permits);
    }

    private void grant(LimitState state, long now, long wait, long permits) {
        long start = queue ? now : now + wait;
        if (state.instant - start < 0) {
            state.instant = start;
            state.amount = 0;
        }
        Amount added = costOf(permits);
        state.instant += added.nanos;
        if (state.amount >= rate - added.fraction) {
            state.instant++;
            state.amount -= rate - added.fraction;
        } else {
            state.amount += added.fraction;
        }
    }

    @Override
    public LongConsumer reserve(LimitState state, long now, long wait, long permits) {
        Amount before = new Amount(state.instant, state.amount);
        grant(state, now, wait, permits);
        Amount after = new Amount(state.instant, state.amount);
        return state.createRefund(new ObjLongConsumer<>() {
            private boolean used; // the same arrival time may occur again

            @Override
            public void accept(LimitState owner, long refunded) {
                boolean newest = owner.instant == after.nanos && owner.amount == after.fraction;
                if (newest && !used) {
                    owner.instant = before.nanos;
                    owner.amount = before.fraction;
                    if (refunded < permits) {
                        grant(owner, now, wait, permits - refunded);
                    }
                }
                used = true;
            }
        });
    }

    /** Returns the wait until a full queue has room, if the request would have waited in it for no other limit. */
    @Override
    public long retryAfter(LimitState state, long now, long wait, long permits) {
        boolean waitsForQueue = queue && wait == earliest(state, now, 0, permits);
        long full = waitsForQueue ? untilRoomFor(state, now, permits) : 0;
        return full > 0 ? full : Algorithm.super.retryAfter(state, now, wait, permits);
    }

    /** The debt falls all the time, and a queue has room again before a request may start at once. */
    @Override
    public long steadyFor(LimitState state, long now) {
        if (untilPaid(state, now) == 0) {
            return NEVER;
        }
        return queue ? 0 : earliest(state, now, 0, 1);
    }

    /** Returns {@code burst - ceil((debt * rate + fraction) / window)}, computed in parts. */
    @Override
    public long remaining(LimitState state, long now) {
        long debt = debt(state, now);
        long owed = LongMath.quotient(debt, rate, window);
        long rest = debt * rate - owed * window; // exact, because it is below the window
        long fraction = debtFraction(state, now);
        long whole = fraction < window ? 0 : fraction / window;
        long part = fraction < window ? fraction : fraction % window;
        int roundedUp = rest == 0 && part == 0 ? 0 : part > window - rest ? 2 : 1;
        return Math.max(0, Math.max(0, burst - owed) - whole - roundedUp);
    }

    @Override
    public long resetAfter(LimitState state, long now) {
        return untilPaid(state, now);
    }

    /** Keeps the debt as time: granted permits are paid for when they would have been. */
    @Override
    public boolean adopt(LimitState state, Algorithm before, long now) {
        if (!(before instanceof VirtualScheduling last) || last.method != method) {
            return false;
        }
        if (!last.limit.equals(limit)) {
            state.forgetReservations();
            long scaled = LongMath.quotient(state.amount, rate, last.rate);
            state.amount =
                    state.amount * rate == scaled * last.rate ? scaled : scaled + 1; // the rest is below the rate
            if (state.amount == rate) {
                state.amount = 0;
                state.instant++;
            }
        }
        return true;
    }

    private Amount costOf(long permits) {
        return permits == 1 ? cost : amount(permits);
    }

    private Amount amount(long permits) {
        long nanos = LongMath.quotient(permits, window, rate);
        return new Amount(nanos, permits * window - nanos * rate); // exact, because it is below the rate
    }

    /** Returns the wait until permits fit that are no more than the burst. */
    private long untilRoomFor(LimitState state, long now, long permits) {
        Amount most = permits == 1 ? mostForOne : costOf(burst - permits);
        return Math.max(0, roundedUp(debt(state, now) - most.nanos, debtFraction(state, now) > most.fraction));
    }

    private static long untilPaid(LimitState state, long now) {
        return roundedUp(debt(state, now), debtFraction(state, now) > 0);
    }

    private static long roundedUp(long nanos, boolean andPart) {
        return andPart ? nanos + 1 : nanos;
    }

    private static long debt(LimitState state, long now) {
        return Math.max(0, state.instant - now);
    }

    private static long debtFraction(LimitState state, long now) {
        return state.instant - now < 0 ? 0 : state.amount;
    }
}
