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
abstract class VirtualSchedule implements Algorithm {
    private Limit limit;
    private long arrival; // theoretical arrival time: nanoseconds ...
    private long fraction; // ... and N-ths of one

    VirtualSchedule(Limit limit, long now) {
        this.limit = limit;
        this.arrival = now;
    }

    @Override
    public final Limit limit() {
        return limit;
    }

    /** The permits that may be owed at most. */
    abstract long burst();

    /** The wait until {@code permits} more may be owed; {@link #NEVER} if they may not. */
    final long untilOwed(long now, long permits) {
        if (permits > burst()) {
            return NEVER;
        }
        long most = nanos(burst() - permits);
        long mostFraction = fraction(burst() - permits);
        return Math.max(0, roundedUp(debt(now) - most, debtFraction(now) > mostFraction));
    }

    /** The wait until nothing is owed. */
    final long untilPaid(long now) {
        return roundedUp(debt(now), debtFraction(now) > 0);
    }

    private static long roundedUp(long nanos, boolean andPart) {
        return andPart && nanos != NEVER ? nanos + 1 : nanos;
    }

    @Override
    public long earliest(long now, long from, long permits) {
        return Math.max(from, untilOwed(now, permits));
    }

    /** Books only at this limit's own fit: a place later than that would block the limit for others meanwhile. */
    @Override
    public boolean canBook(long now, long wait, long permits) {
        return wait == 0 || (wait == earliest(now, 0, permits) && wait < NEVER - nanos(burst()));
    }

    @Override
    public void book(long now, long wait, long permits) {
        owe(now + wait, permits);
    }

    /** Adds to the debt, which is none if it was paid off by {@code instant}. */
    final void owe(long instant, long permits) {
        if (arrival - instant < 0) {
            arrival = instant;
            fraction = 0;
        }
        arrival += nanos(permits);
        long more = fraction(permits);
        if (fraction >= rate() - more) {
            arrival++;
            fraction -= rate() - more;
        } else {
            fraction += more;
        }
    }

    @Override
    public GiveBack reserve(long now, long wait, long permits) {
        Limit bookedUnder = limit;
        long arrivalBefore = arrival;
        long fractionBefore = fraction;
        book(now, wait, permits);
        long arrivalAfter = arrival;
        long fractionAfter = fraction;
        return new GiveBack() {
            private boolean used; // the same arrival may come again

            @Override
            public void permits(long back) {
                boolean newest = arrival == arrivalAfter && fraction == fractionAfter && limit.equals(bookedUnder);
                if (newest && !used) {
                    arrival = arrivalBefore;
                    fraction = fractionBefore;
                    if (back < permits) {
                        book(now, wait, permits - back);
                    }
                }
                used = true;
            }
        };
    }

    @Override
    public long remaining(long now) {
        // burst - ceil((debt x rate + fraction) / window), part by part
        long owed = Wide.divide(debt(now), rate(), window());
        long rest = Wide.remainder(debt(now), rate(), window());
        long whole = debtFraction(now) / window();
        long part = debtFraction(now) % window();
        int roundedUp = rest == 0 && part == 0 ? 0 : part > window() - rest ? 2 : 1;
        return Math.max(0, Math.max(0, burst() - owed) - whole - roundedUp);
    }

    @Override
    public long resetAfter(long now) {
        return untilPaid(now);
    }

    /** Goes on with the debt as it is, in time: what was admitted is paid off when it would have been. */
    @Override
    public final boolean adopt(Limit changed, long now) {
        if (!changed.getClass().equals(limit.getClass())) {
            return false;
        }
        long rateBefore = rate();
        limit = changed;
        long rest = Wide.remainder(fraction, rate(), rateBefore);
        fraction = Wide.divide(fraction, rate(), rateBefore) + (rest > 0 ? 1 : 0);
        if (fraction == rate()) {
            fraction = 0;
            arrival++;
        }
        return true;
    }

    private long debt(long now) {
        return Math.max(0, arrival - now);
    }

    private long debtFraction(long now) {
        return arrival - now < 0 ? 0 : fraction;
    }

    private long rate() {
        return limit.permits();
    }

    private long window() {
        return limit.windowNanos();
    }

    private long nanos(long permits) {
        return Wide.divide(permits, window(), rate());
    }

    private long fraction(long permits) {
        return Wide.remainder(permits, window(), rate());
    }
}
