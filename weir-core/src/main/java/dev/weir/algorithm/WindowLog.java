package dev.weir.algorithm;

import dev.weir.Accounting;
import dev.weir.Accounting.Method;
import dev.weir.Limit;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * The log of a sliding window: what was granted when, as runs of permits with one stamp each. The sliding log has short ticks;
 * the sliding window has a tick for each bucket, so that a few counters stand for a window.
 *
 * <p>Permits fit at an instant if the weight in the window that ends there leaves room for them, and also in every later window
 * that contains it: pending reservations may already fill those. Every step takes constant time while nothing is pending, except that
 * a denial of many permits searches for the run that must expire first. See {@link RunLog} for reservations.
 *
 * <p>Memory: 1 to 8 bytes a permit in {@link CompactLog}, 16 bytes a run in {@link RunLog}; at most {@code window / tick + 1} runs
 * and N, plus the pending reservations.
 */
final class WindowLog implements Algorithm {
    private final Limit limit;
    private final long most;
    private final long window; // margin included
    private final Ticks ticks;
    private final boolean attempts;
    private final boolean buckets;
    private final CompactLog compact;

    WindowLog(Limit limit) {
        Accounting accounting = limit.accounting();
        this.limit = limit;
        this.most = limit.permits();
        this.window = accounting.windowNanos();
        this.ticks = new Ticks(accounting.tickNanos(), accounting.method() == Method.CLASSIC_BUCKETS);
        this.attempts = accounting.method() == Method.LOG_OF_ATTEMPTS;
        this.buckets = accounting.method() == Method.BUCKETS || ticks.atStart();
        this.compact = new CompactLog(window, ticks);
    }

    @Override
    public Limit limit() {
        return limit;
    }

    private LogForm form(LimitState state) {
        return state.amount == RunLog.MARK ? (RunLog) Objects.requireNonNull(state.more) : compact;
    }

    private LogForm pruned(LimitState state, long now) {
        LogForm form = form(state);
        return form.prune(state, now) ? form : compact;
    }

    private RunLog general(LimitState state, long now) {
        if (form(state) instanceof RunLog log) {
            return log;
        }
        RunLog log = new RunLog(window, ticks, now);
        compact.forEachRun(state, now, (stamp, weight, pending) -> log.addAt(stamp, weight));
        state.more = log;
        state.amount = RunLog.MARK;
        return log;
    }

    @Override
    public long earliest(LimitState state, long now, long from, long permits) {
        return permits > most ? NEVER : pruned(state, now).earliest(state, now, from, most, permits);
    }

    @Override
    public boolean canGrant(LimitState state, long now, long wait, long permits) {
        return wait == 0 || (!attempts && form(state).canReserve(state, now, wait, permits));
    }

    @Override
    public long tryGrant(LimitState state, long now, long permits) {
        LogForm form = pruned(state, now);
        long room = most - form.peak(state, now, most);
        if (room < permits) {
            return DENIED;
        }
        add(state, form, now, permits);
        return ticks.atStart() ? remaining(state, now) : room - permits; // a bucket may end before the window does
    }

    @Override
    public void grant(LimitState state, long now, long permits) {
        add(state, form(state), now, permits);
    }

    private void add(LimitState state, LogForm form, long now, long permits) {
        if (!form.add(state, now, permits)) {
            general(state, now).add(state, now, permits);
        }
    }

    @Override
    public LongConsumer reserve(LimitState state, long now, long wait, long permits) {
        boolean added = wait == 0 && form(state) == compact && compact.add(state, now, permits);
        long stamp = added ? compact.newest(state) : general(state, now).reserve(now, wait, permits);
        return attempts ? refunded -> {} : state.createRefund((owner, refunded) -> refund(owner, stamp, refunded));
    }

    private void refund(LimitState state, long stamp, long permits) {
        boolean expired = form(state) == compact && (state.amount == 0 || stamp - compact.oldest(state) < 0);
        if (expired) {
            return; // the compact form need not be left for nothing
        }
        long newest = ticks.firstSeeing(state.instant); // the time of the reservation may be too old to be compared
        general(state, newest).refund(stamp, permits);
    }

    /** Records a denied attempt, and keeps only the newest attempts that can decide. */
    @Override
    public boolean recordDenied(LimitState state, long now, long permits) {
        if (!attempts) {
            return false;
        }
        pruned(state, now);
        RunLog log = general(state, now);
        long recorded = Math.min(Math.min(permits, most), Long.MAX_VALUE - log.total()); // more would change nothing
        if (recorded > 0) {
            log.add(state, now, recorded);
            log.keepNewest(most);
        }
        return true;
    }

    @Override
    public long remaining(LimitState state, long now) {
        return Math.max(0, most - pruned(state, now).peak(state, now, most));
    }

    @Override
    public long resetAfter(LimitState state, long now) {
        LogForm form = pruned(state, now);
        boolean countsNothing = form.counted(state) == 0 && !form.hasPending();
        return countsNothing ? 0 : form.newest(state) - now + window;
    }

    @Override
    public boolean isIdle(LimitState state, long now) {
        return form(state).isIdle(state, now);
    }

    @Override
    public boolean adopt(LimitState state, Algorithm before, long now) {
        if (!(before instanceof WindowLog last) || last.buckets != buckets) {
            return false;
        }
        if (attempts) {
            state.forgetReservations(); // a refund would leave room for attempts that were dropped
        }
        if (last.window != window || !last.ticks.equals(ticks)) {
            last.pruned(state, now);
            last.general(state, now).change(now, window, ticks);
            pruned(state, now);
        }
        return true;
    }

    @Override
    public long steadyFor(LimitState state, long now) {
        LogForm form = pruned(state, now);
        if (form.hasPending()) {
            return remaining(state, now) == 0 ? earliest(state, now, 0, 1) : 0;
        }
        return form.counted(state) == 0 ? NEVER : form.oldest(state) - now + window;
    }

    @Override
    public long joinsFor(LimitState state, long now, long permits) {
        LogForm form = form(state);
        if (attempts || form.hasPending() || form.newestWeight(state) <= permits) {
            return 0;
        }
        long stamp = ticks.stamp(now);
        return form.newest(state) == stamp ? ticks.next(stamp) - now : 0;
    }

    @Override
    public void forEachRun(LimitState state, long now, RunVisitor visitor) {
        pruned(state, now).forEachRun(state, now, visitor);
    }
}
