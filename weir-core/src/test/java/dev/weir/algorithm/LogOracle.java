package dev.weir.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The sliding log and the sliding window by definition: runs (stamp, weight), sorted by stamp.
 *
 * <p>{@code S(e)} is the weight with {@code e - W < stamp <= Up(e)}, where {@code Up(e)} is the end of the tick of e, and at
 * least {@code edge}. k permits fit at z if {@code S(z) + k <= N} and {@code S(f) + k <= N} for every stamp f after the edge with
 * {@code z < f < z + W}. The least z that fits is the first one requested or some stamp + W. All instants e, z and f are written as
 * waits after now.
 */
final class LogOracle extends Oracle {
    private long window; // margin included
    private long widest; // the widest window so far: how long runs are kept
    private long tick;
    private long edge; // the latest stamp of a grant without wait, or when the log was empty
    private long forgotten = Long.MIN_VALUE; // the end of what was forgotten before the window grew
    private long[] stamps = new long[8];
    private long[] ids = new long[8]; // distinguishes runs of the same stamp
    private long newestId;
    private long[] sums = new long[9]; // sums[i]: the weight of the runs before i
    private int first;
    private int size;

    LogOracle(Rule rule, long now) {
        super(rule);
        edge = now;
        read(rule);
        widest = window;
    }

    private void read(Rule rule) {
        boolean log = rule.kind() == Rule.Kind.LOG || rule.kind() == Rule.Kind.ATTEMPTS;
        window = rule.window() + rule.margin();
        tick = log ? rule.option() : (window - 1) / rule.option() + 1; // a bucket, rounded up
    }

    private boolean classic() {
        return rule().kind() == Rule.Kind.CLASSIC;
    }

    private boolean attempts() {
        return rule().kind() == Rule.Kind.ATTEMPTS;
    }

    @Override
    void change(Rule changed, long now) {
        forget(now);
        read(changed);
        for (int i = first; i < size && changed.kind() == Rule.Kind.ATTEMPTS; i++) {
            ids[i] = ++newestId; // earlier reservations cannot be refunded
        }
        forgotten = first < size && window > widest ? Math.max(forgotten, now - widest) : forgotten;
        widest = Math.max(first == size ? 0 : widest, window);
    }

    @Override
    void forget(long now) {
        while (first < size && now - stamps[first] >= widest) {
            first++;
        }
        if (first == size) {
            edge = now;
            widest = window;
            forgotten = Long.MIN_VALUE;
        }
    }

    @Override
    boolean idle(long now) {
        return first == size || now - stamps[size - 1] >= widest;
    }

    /** Up(e). */
    private long visible(long now, long e) {
        long instant = now + e;
        if (instant < now) {
            return e; // beyond the end of time there are no runs
        }
        long up = classic() ? e : plus(e, Math.floorMod(-instant, tick));
        return instant <= edge ? Math.max(up, edge - now) : up;
    }

    /** The number of the first run with a stamp after e. */
    private int after(long now, long e) {
        int low = first;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (stamps[middle] - now <= e) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int afterEdge(long now, long e) {
        return after(now, Math.max(e, edge - now));
    }

    /** S(e). */
    private long weightAt(long now, long e) {
        return sums[after(now, visible(now, e))] - sums[after(now, e - window)];
    }

    @Override
    long earliest(long now, long from, long k) {
        long room = rule().permits() - k;
        if (room < 0) {
            return NEVER;
        }
        int ahead = afterEdge(now, from);
        long[] full = new long[size - ahead]; // the stamps f > from without room
        int count = 0;
        for (int i = ahead; i < size; i++) {
            if (weightAt(now, stamps[i] - now) > room) {
                full[count++] = stamps[i] - now;
            }
        }
        int within = 0; // of full: those with f < z + W
        long z = from;
        while (z != NEVER) {
            while (within < count && full[within] - z < window) {
                within++;
            }
            long forbidden = within == 0 ? z : Math.max(z, full[within - 1]); // the latest f with z < f < z + W
            long excess = weightAt(now, z) - room;
            if (forbidden > z) {
                z = expiry(now, after(now, forbidden - window)); // f forbids all before it
            } else if (excess > 0) {
                int i = after(now, z - window);
                for (long left = sums[i]; i < size && sums[i + 1] - left < excess; i++) {
                    // S only decreases where a run expires, so none of these makes room
                }
                z = expiry(now, i);
            } else {
                return z;
            }
        }
        return NEVER;
    }

    /** The instant at which a run expires. */
    private long expiry(long now, int i) {
        return i == size ? NEVER : expiry(stamps[i], window, now);
    }

    private int find(long stamp, long now) {
        int i = after(now, stamp - now) - 1;
        return i >= first && stamps[i] == stamp ? i : -1;
    }

    private long stamp(long now, long wait) {
        long at = now + wait;
        if (classic()) {
            int begun = after(now, visible(now, 0));
            long past = begun > first ? stamps[begun - 1] : Long.MIN_VALUE;
            return Math.max(floor(at, tick), Math.max(past, forgotten + 1));
        }
        if (wait > 0) {
            return at;
        }
        long up = at + Math.floorMod(-at, tick);
        return Math.max(up, edge);
    }

    @Override
    boolean mayReserve(long now, long wait, long k) {
        return wait == 0
                || (!attempts()
                        && (size - after(now, visible(now, 0)) < MAX_PENDING || find(stamp(now, wait), now) >= 0));
    }

    @Override
    Refund grant(long now, long wait, long k) {
        long stamp = stamp(now, wait);
        edge = wait == 0 ? Math.max(edge, stamp) : edge;
        add(stamp, k, now);
        if (attempts()) {
            return back -> {};
        }
        long id = ids[find(stamp, now)];
        return back -> {
            int i = find(stamp, edge);
            if (i >= 0 && ids[i] == id && sums[i + 1] - sums[i] >= back) {
                take(i, back);
            }
        };
    }

    private void add(long stamp, long k, long now) {
        int i = after(now, stamp - now);
        if (i == first || stamps[i - 1] != stamp) {
            if (size == stamps.length) {
                stamps = Arrays.copyOf(stamps, 2 * size);
                ids = Arrays.copyOf(ids, 2 * size);
                sums = Arrays.copyOf(sums, 2 * size + 1);
            }
            System.arraycopy(stamps, i, stamps, i + 1, size - i);
            System.arraycopy(ids, i, ids, i + 1, size - i);
            ids[i] = ++newestId;
            System.arraycopy(sums, i, sums, i + 1, size + 1 - i);
            stamps[i++] = stamp;
            size++;
        }
        for (int j = i; j <= size; j++) {
            sums[j] += k;
        }
    }

    private void take(int i, long k) {
        for (int j = i + 1; j <= size; j++) {
            sums[j] -= k;
        }
        if (sums[i + 1] == sums[i]) {
            System.arraycopy(stamps, i + 1, stamps, i, size - i - 1);
            System.arraycopy(ids, i + 1, ids, i, size - i - 1);
            System.arraycopy(sums, i + 1, sums, i, size - i);
            size--;
        }
    }

    /** Counts a denied attempt, and drops the oldest while the others weigh enough to deny everything. */
    @Override
    boolean denied(long now, long k) {
        if (!attempts()) {
            return false;
        }
        grant(now, 0, Math.min(k, rule().permits()));
        if (weightAt(now, 0) > rule().permits()) {
            int end = after(now, visible(now, 0));
            int oldest = after(now, -window);
            while (sums[end] - sums[oldest + 1] >= rule().permits()) {
                oldest++;
            }
            first = oldest;
        }
        return true;
    }

    @Override
    long remaining(long now) {
        long most = weightAt(now, 0);
        for (int i = afterEdge(now, 0); i < size && stamps[i] - now < window; i++) {
            most = Math.max(most, weightAt(now, stamps[i] - now));
        }
        return Math.max(0, rule().permits() - most);
    }

    @Override
    long resetAfter(long now) {
        return first == size ? 0 : Math.max(0, expiry(stamps[size - 1], window, now));
    }

    @Override
    List<long[]> runs(long now) {
        return listed(after(now, -window), after(now, visible(now, 0)));
    }

    @Override
    List<long[]> pending(long now) {
        return listed(after(now, visible(now, 0)), size);
    }

    private List<long[]> listed(int from, int to) {
        List<long[]> listed = new ArrayList<>();
        for (int i = from; i < to; i++) {
            listed.add(new long[] {stamps[i], sums[i + 1] - sums[i]});
        }
        return listed;
    }

    @Override
    Oracle copy() {
        LogOracle copy = new LogOracle(rule(), edge);
        copy.widest = widest;
        copy.forgotten = forgotten;
        copy.stamps = stamps.clone();
        copy.ids = ids.clone();
        copy.sums = sums.clone();
        copy.first = first;
        copy.size = size;
        return copy;
    }
}
