package dev.weir.algorithm;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Each limiter once more, straight from its definition and as slow as that is: lists searched from end to end, fractions
 * without bound. One key, one limit. Waits are counted from {@code now}; {@link #NEVER} does not end.
 */
abstract class Oracle {
    static final long NEVER = Long.MAX_VALUE;

    static Oracle of(Limit limit, long now) {
        if (limit instanceof Limit.FixedWindow window) {
            return new Windows(window);
        }
        return limit instanceof Limit.SlidingLog || limit instanceof Limit.SlidingWindow
                ? new Log(limit, now)
                : new ScheduleOracle(limit, now);
    }

    /** Lets go of what nobody can ask for any more. */
    void forget(long now) {}

    /** The least wait after which the permits fit. */
    abstract long earliest(long now, long permits);

    /** Whether permits that fit after a wait may be booked there. */
    boolean mayBook(long now, long wait, long permits) {
        return true;
    }

    /** Books, and answers with what gives back. */
    abstract GiveBack book(long now, long wait, long permits);

    /** Remembers a denial; whether it does. */
    boolean denied(long now, long permits) {
        return false;
    }

    /** When a waiter is to try again who was denied although ready to wait. */
    long retry(long now, long wait, long permits) {
        return wait;
    }

    abstract long remaining(long now);

    abstract long resetAfter(long now);

    abstract void change(Limit limit, long now);

    /** Another one that remembers the same, for a look. */
    abstract Oracle copy();

    /** Gives permits back. */
    interface GiveBack {
        void permits(long permits);
    }

    static long floor(long instant, long length) {
        return Math.floorDiv(instant, length) * length;
    }

    static long ceil(long instant, long length) {
        return -floor(-instant, length);
    }

    /** The log: a list of (stamp, weight), all of it looked at for every question. */
    private static final class Log extends Oracle {
        private final List<long[]> entries = new ArrayList<>();
        private Limit limit;
        private long permits;
        private long window;
        private long widest;
        private long tick;
        private boolean attempts;
        private boolean classic;
        private long edge;

        Log(Limit limit, long now) {
            edge = now;
            change(limit, now);
        }

        @Override
        void change(Limit limit, long now) {
            this.limit = limit;
            permits = limit.permits();
            window = limit.windowNanos();
            if (limit instanceof Limit.SlidingLog log) {
                window += log.margin().toNanos();
                tick = log.resolution().toNanos();
                attempts = log.count() == Limit.SlidingLog.Count.ATTEMPTS;
            } else if (limit instanceof Limit.SlidingWindow counters) {
                tick = counters.bucket().toNanos();
                classic = counters.estimate() == Limit.SlidingWindow.Estimate.CLASSIC;
            }
            forget(now);
            widest = Math.max(widest, window);
        }

        @Override
        Oracle copy() {
            Log copy = new Log(limit, edge);
            entries.forEach(entry -> copy.entries.add(entry.clone()));
            copy.widest = widest;
            copy.edge = edge;
            return copy;
        }

        @Override
        void forget(long now) {
            entries.removeIf(entry -> entry[0] + widest <= now);
            if (entries.isEmpty()) {
                edge = now;
            }
        }

        private long up(long instant) {
            return classic ? instant : ceil(instant, tick);
        }

        private long weightAt(long instant) {
            long visible = instant <= edge ? Math.max(up(instant), edge) : up(instant);
            return entries.stream()
                    .filter(entry -> instant - window < entry[0] && entry[0] <= visible)
                    .mapToLong(entry -> entry[1])
                    .sum();
        }

        private boolean fits(long z, long k) {
            return weightAt(z) + k <= permits
                    && entries.stream()
                            .filter(entry -> z < entry[0] && entry[0] < z + window)
                            .allMatch(entry -> weightAt(entry[0]) + k <= permits);
        }

        @Override
        long earliest(long now, long k) {
            if (k > permits) {
                return NEVER;
            }
            TreeSet<Long> candidates = new TreeSet<>(List.of(now));
            entries.forEach(entry -> candidates.add(entry[0] + window));
            return candidates.tailSet(now).stream()
                            .filter(z -> fits(z, k))
                            .findFirst()
                            .orElseThrow()
                    - now;
        }

        @Override
        boolean mayBook(long now, long wait, long permits) {
            return wait == 0 || !attempts;
        }

        @Override
        GiveBack book(long now, long wait, long k) {
            long at = now + wait;
            long stamp = classic ? floor(at, tick) : wait == 0 ? up(at) : at;
            edge = wait == 0 ? Math.max(edge, stamp) : edge;
            long[] entry = {stamp, k};
            entries.stream()
                    .filter(one -> attempts && one[0] == stamp)
                    .findFirst()
                    .ifPresentOrElse(one -> one[1] += k, () -> entries.add(entry));
            entries.sort(Comparator.comparingLong(one -> one[0]));
            return back -> {
                entry[1] -= attempts ? 0 : back;
                entries.removeIf(one -> one[1] == 0);
            };
        }

        @Override
        boolean denied(long now, long k) {
            if (!attempts || k > permits) {
                return false;
            }
            book(now, 0, k);
            while (weight() - entries.get(0)[1] >= permits) {
                entries.remove(0);
            }
            return true;
        }

        private long weight() {
            return entries.stream().mapToLong(entry -> entry[1]).sum();
        }

        @Override
        long remaining(long now) {
            long peak = entries.stream()
                    .mapToLong(entry -> entry[0])
                    .filter(f -> now < f && f < now + window)
                    .map(this::weightAt)
                    .reduce(weightAt(now), Math::max);
            return Math.max(0, permits - peak);
        }

        @Override
        long resetAfter(long now) {
            return entries.stream()
                    .filter(entry -> entry[1] > 0)
                    .mapToLong(entry -> Math.max(0, entry[0] + window - now))
                    .reduce(0, Math::max);
        }
    }

    /** Fixed windows: every window that ever was, and its count. */
    private static final class Windows extends Oracle {
        private final List<long[]> windows = new ArrayList<>();
        private Limit.FixedWindow limit;

        Windows(Limit.FixedWindow limit) {
            this.limit = limit;
        }

        /** The window that an event joins, or a new one that is not yet listed. */
        private long[] windowOf(long instant) {
            long[] joined = null;
            for (long[] window : windows) {
                if (window[1] > 0 && window[0] <= instant && instant < window[0] + limit.windowNanos()) {
                    joined = joined == null || window[0] > joined[0] ? window : joined;
                }
            }
            boolean clock = limit.align() == Limit.FixedWindow.Align.CLOCK;
            return joined != null ? joined : new long[] {clock ? floor(instant, limit.windowNanos()) : instant, 0};
        }

        @Override
        long earliest(long now, long k) {
            if (k > limit.permits()) {
                return NEVER;
            }
            long wait = 0;
            while (windowOf(now + wait)[1] + k > limit.permits()) {
                wait++;
            }
            return wait;
        }

        @Override
        GiveBack book(long now, long wait, long k) {
            long[] window = windowOf(now + wait);
            if (!windows.contains(window)) {
                windows.add(window);
            }
            window[1] += k;
            return back -> window[1] -= windows.contains(window) ? back : 0;
        }

        @Override
        long remaining(long now) {
            return Math.max(0, limit.permits() - windowOf(now)[1]);
        }

        @Override
        long resetAfter(long now) {
            return windows.stream()
                    .filter(window -> window[1] > 0)
                    .mapToLong(window -> Math.max(0, window[0] + limit.windowNanos() - now))
                    .reduce(0, Math::max);
        }

        @Override
        void change(Limit changed, long now) {
            Limit.FixedWindow next = (Limit.FixedWindow) changed;
            if (next.windowNanos() == limit.windowNanos() && next.align() == limit.align()) {
                limit = next;
                return;
            }
            List<long[]> before = List.copyOf(windows);
            windows.clear();
            for (long[] window : before) {
                if (window[1] > 0 && window[0] + limit.windowNanos() > now) {
                    long start = Math.max(window[0], now);
                    if (next.align() == Limit.FixedWindow.Align.CLOCK) {
                        add(floor(start, next.windowNanos()), window[1]);
                    } else {
                        add(window[0] + next.windowNanos() > now ? window[0] : now, window[1]);
                    }
                }
            }
            limit = next;
        }

        @Override
        Oracle copy() {
            Windows copy = new Windows(limit);
            windows.forEach(window -> copy.windows.add(window.clone()));
            return copy;
        }

        private void add(long start, long count) {
            for (long[] window : windows) {
                if (window[0] == start) {
                    window[1] += count;
                    return;
                }
            }
            windows.add(new long[] {start, count});
        }
    }
}
