package dev.weir.algorithm;

/** One sweep over a ledger with bookings in the future: where permits fit, and how much is booked at most. */
final class Sweep {
    private final Log log;
    private final Ledger ledger;
    private final long now;

    Sweep(Log log, Ledger ledger, long now) {
        this.log = log;
        this.ledger = ledger;
        this.now = now;
    }

    /** The least wait, {@code from} or longer, after which there is room besides {@code room} permits everywhere. */
    long earliest(long from, long room) {
        Cursor here = new Cursor();
        Cursor ahead = new Cursor();
        int checked = 0; // runs before this one have room, or lie behind
        int leaving = 0;
        long at = from;
        while (true) {
            boolean fits = Long.compareUnsigned(here.weightAt(at), room) <= 0;
            while (fits && checked < ledger.size()) {
                long later = ledger.stamp(checked) - now;
                if (later > at && later - at >= log.window) {
                    break;
                }
                if (later > at && Long.compareUnsigned(ahead.weightAt(later), room) > 0) {
                    fits = false;
                    at = later;
                }
                checked++;
            }
            if (fits) {
                return at;
            }
            while (leavesAfter(leaving) <= at) {
                leaving++;
            }
            at = leavesAfter(leaving);
            if (at == Algorithm.NEVER) {
                return Algorithm.NEVER;
            }
        }
    }

    private long leavesAfter(int run) {
        return log.leavesAfter(ledger.stamp(run), now);
    }

    /** The most that is counted at any instant that a booking now would still count at. */
    long peak() {
        Cursor cursor = new Cursor();
        long peak = cursor.weightAt(0);
        for (int i = ledger.countUpTo(now); i < ledger.size() && ledger.stamp(i) - now < log.window; i++) {
            peak = Math.max(peak, cursor.weightAt(ledger.stamp(i) - now));
        }
        return peak;
    }

    /** Walks S(e) over rising instants e, given as waits after {@code now}. */
    private final class Cursor {
        private int left;
        private int right;
        private long weight;

        long weightAt(long wait) {
            long instant = now + wait;
            long visible = log.visible(instant);
            long seen = (instant - ledger.edge <= 0 ? Log.latest(ledger.edge, visible) : visible) - now;
            while (right < ledger.size() && ledger.stamp(right) - now <= seen) {
                weight += ledger.weight(right++);
            }
            while (left < right && ledger.stamp(left) - now <= wait - log.window) {
                weight -= ledger.weight(left++);
            }
            return weight;
        }
    }
}
