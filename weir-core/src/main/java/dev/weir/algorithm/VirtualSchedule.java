package dev.weir.algorithm;

import dev.weir.Limit;

/**
 * The virtual scheduling algorithm (ITU-T I.371), the arithmetic that gcra, token bucket and leaky bucket share: the one
 * number they keep is the theoretical arrival time, the instant at which all that was admitted is paid off.
 *
 * <p>Exact: one permit costs {@code window / N}, kept with its remainder, so that three a second are not three times
 * 333,333,333 ns. Amounts are nanoseconds and N-ths of one; only debts, never sums since the epoch, are compared, so that
 * nothing overflows. A give-back is exact for the newest booking and forfeited otherwise.
 */
/*
 * The memory's pair of numbers is the arrival time: nanoseconds, and N-ths of one. What hangs on it, once something was
 * reserved, is a mark that goes when the limit changes or all is forgotten: a reservation from before gives nothing back.
 */
abstract class VirtualSchedule implements Algorithm {
    private final Limit limit;
    private final long rate;
    private final long window;
    private final long burst;
    private final long cost; // of one permit: nanoseconds ...
    private final long costFraction; // ... and N-ths of one
    private final long mostForOne; // what may be owed before one more permit
    private final long mostForOneFraction;

    VirtualSchedule(Limit limit, long burst) {
        this.limit = limit;
        this.rate = limit.permits();
        this.window = limit.windowNanos();
        this.burst = burst;
        this.cost = Wide.divide(1, window, rate);
        this.costFraction = Wide.remainder(1, window, rate);
        this.mostForOne = Wide.divide(burst - 1, window, rate);
        this.mostForOneFraction = Wide.remainder(burst - 1, window, rate);
    }

    @Override
    public final Limit limit() {
        return limit;
    }

    /** Whether so many permits may be owed at all. */
    final boolean canOwe(long permits) {
        return permits <= burst;
    }

    /** The wait until {@code permits} more may be owed; {@link #NEVER} if they may not. */
    final long untilOwed(Memory memory, long now, long permits) {
        if (permits > burst) {
            return NEVER;
        }
        long most = permits == 1 ? mostForOne : Wide.divide(burst - permits, window, rate);
        long mostFraction = permits == 1 ? mostForOneFraction : Wide.remainder(burst - permits, window, rate);
        return Math.max(0, roundedUp(debt(memory, now) - most, debtFraction(memory, now) > mostFraction));
    }

    /** The wait until nothing is owed. */
    final long untilPaid(Memory memory, long now) {
        return roundedUp(debt(memory, now), debtFraction(memory, now) > 0);
    }

    private static long roundedUp(long nanos, boolean andPart) {
        return andPart && nanos != NEVER ? nanos + 1 : nanos;
    }

    @Override
    public long earliest(Memory memory, long now, long from, long permits) {
        return Math.max(from, untilOwed(memory, now, permits));
    }

    /** Books only at this limit's own fit: a place later than that would block the limit for others meanwhile. */
    @Override
    public boolean canBook(Memory memory, long now, long wait, long permits) {
        return wait == 0
                || (wait == earliest(memory, now, 0, permits) && wait < NEVER - Wide.divide(burst, window, rate));
    }

    @Override
    public void book(Memory memory, long now, long wait, long permits) {
        owe(memory, now + wait, permits);
    }

    /** Adds to the debt, which is none if it was paid off by {@code instant}. */
    final void owe(Memory memory, long instant, long permits) {
        if (memory.instant - instant < 0) {
            memory.instant = instant;
            memory.amount = 0;
        }
        long more = permits == 1 ? costFraction : Wide.remainder(permits, window, rate);
        memory.instant += permits == 1 ? cost : Wide.divide(permits, window, rate);
        if (memory.amount >= rate - more) {
            memory.instant++;
            memory.amount -= rate - more;
        } else {
            memory.amount += more;
        }
    }

    @Override
    public GiveBack reserve(Memory memory, long now, long wait, long permits) {
        if (memory.more == null) {
            memory.more = new Object();
        }
        Object epoch = memory.more;
        long arrivalBefore = memory.instant;
        long fractionBefore = memory.amount;
        book(memory, now, wait, permits);
        long arrivalAfter = memory.instant;
        long fractionAfter = memory.amount;
        return new GiveBack() {
            private boolean used; // the same arrival may come again

            @Override
            public void permits(long back) {
                boolean newest = memory.instant == arrivalAfter && memory.amount == fractionAfter;
                if (newest && memory.more == epoch && !used) {
                    memory.instant = arrivalBefore;
                    memory.amount = fractionBefore;
                    if (back < permits) {
                        book(memory, now, wait, permits - back);
                    }
                }
                used = true;
            }
        };
    }

    @Override
    public long remaining(Memory memory, long now) {
        // burst - ceil((debt x rate + fraction) / window), part by part
        long debt = debt(memory, now);
        long owed = Wide.divide(debt, rate, window);
        long rest = debt * rate - owed * window; // exact, since it is below the window
        long fraction = debtFraction(memory, now);
        long whole = fraction < window ? 0 : fraction / window;
        long part = fraction < window ? fraction : fraction % window;
        int roundedUp = rest == 0 && part == 0 ? 0 : part > window - rest ? 2 : 1;
        return Math.max(0, Math.max(0, burst - owed) - whole - roundedUp);
    }

    @Override
    public long resetAfter(Memory memory, long now) {
        return untilPaid(memory, now);
    }

    /** Goes on with the debt as it is, in time: what was admitted is paid off when it would have been. */
    @Override
    public final boolean adopt(Memory memory, Algorithm before, long now) {
        if (!before.getClass().equals(getClass())) {
            return false;
        }
        long rateBefore = before.limit().permits();
        if (!before.limit().equals(limit)) {
            memory.more = null;
            long rest = Wide.remainder(memory.amount, rate, rateBefore);
            memory.amount = Wide.divide(memory.amount, rate, rateBefore) + (rest > 0 ? 1 : 0);
            if (memory.amount == rate) {
                memory.amount = 0;
                memory.instant++;
            }
        }
        return true;
    }

    private static long debt(Memory memory, long now) {
        return Math.max(0, memory.instant - now);
    }

    private static long debtFraction(Memory memory, long now) {
        return memory.instant - now < 0 ? 0 : memory.amount;
    }
}
