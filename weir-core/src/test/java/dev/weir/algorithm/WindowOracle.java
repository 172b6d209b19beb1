package dev.weir.algorithm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Fixed windows by definition: a list of (start, count). A request joins the latest window that covers it, or opens one. */
final class WindowOracle extends Oracle {
    private final List<long[]> windows = new ArrayList<>();

    WindowOracle(Rule rule) {
        super(rule);
    }

    private boolean aligned() {
        return rule().kind() == Rule.Kind.ALIGNED;
    }

    @Override
    void forget(long now) {
        windows.removeIf(window -> now - window[0] >= rule().window());
    }

    /** The window that a request after this wait joins, or null if it opens one. */
    private long @Nullable [] covering(long now, long wait) {
        long[] latest = null;
        for (long[] window : windows) {
            boolean ends = expiry(window[0], rule().window(), now) <= wait;
            if (window[0] - now <= wait && !ends) {
                latest = latest == null || window[0] > latest[0] ? window : latest;
            }
        }
        return latest;
    }

    private long count(long now, long wait) {
        long[] window = covering(now, wait);
        return window == null ? 0 : window[1];
    }

    @Override
    long earliest(long now, long from, long k) {
        if (k > rule().permits()) {
            return NEVER;
        }
        TreeSet<Long> candidates = new TreeSet<>(List.of(from));
        for (long[] window : windows) {
            candidates.add(window[0] - now);
            candidates.add(expiry(window[0], rule().window(), now));
        }
        for (long wait : candidates.tailSet(from)) {
            if (wait == NEVER || count(now, wait) + k <= rule().permits()) {
                return wait;
            }
        }
        return NEVER;
    }

    @Override
    boolean mayReserve(long now, long wait, long k) {
        return wait == 0
                || covering(now, wait) != null
                || (windows.size() < FixedWindow.MAX_WINDOWS && (aligned() || wait == earliest(now, 0, k)));
    }

    @Override
    Refund grant(long now, long wait, long k) {
        long[] covering = covering(now, wait);
        long[] window = covering != null
                ? covering
                : new long[] {aligned() ? floor(now + wait, rule().window()) : now + wait, 0};
        if (covering == null) {
            windows.add(window);
        }
        window[1] += k;
        return back -> {
            window[1] -= windows.contains(window) ? back : 0;
            windows.removeIf(one ->
                    one[1] == 0 && windows.stream().noneMatch(other -> other[1] > 0 && other[0] - one[0] > 0));
        };
    }

    @Override
    long remaining(long now) {
        return Math.max(0, rule().permits() - count(now, 0));
    }

    @Override
    long resetAfter(long now) {
        long reset = 0;
        for (long[] window : windows) {
            reset = window[1] > 0 ? Math.max(reset, expiry(window[0], rule().window(), now)) : reset;
        }
        return reset;
    }

    /** Moves counts that still matter into windows of the new length: no later than they would end, and none before now. */
    @Override
    void change(Rule changed, long now) {
        if (changed.window() == rule().window() && changed.kind() == rule().kind()) {
            return;
        }
        forget(now);
        windows.removeIf(window -> window[1] == 0);
        List<long[]> before = List.copyOf(windows);
        windows.clear();
        for (long[] window : before) {
            if (changed.kind() == Rule.Kind.ALIGNED) {
                add(floor(Math.max(window[0], now), changed.window()), window[1]);
            } else {
                add(now - window[0] < changed.window() ? window[0] : now, window[1]);
            }
        }
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

    @Override
    List<long[]> runs(long now) {
        return listed(window -> window[0] <= now);
    }

    @Override
    List<long[]> pending(long now) {
        return listed(window -> window[0] > now);
    }

    private List<long[]> listed(Predicate<long[]> chosen) {
        return windows.stream()
                .filter(window -> window[1] > 0)
                .filter(chosen)
                .sorted(Comparator.comparingLong(window -> window[0]))
                .toList();
    }

    @Override
    Oracle copy() {
        WindowOracle copy = new WindowOracle(rule());
        windows.forEach(window -> copy.windows.add(window.clone()));
        return copy;
    }
}
