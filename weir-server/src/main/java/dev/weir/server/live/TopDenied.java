package dev.weir.server.live;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.ItemsSketch;
import org.jspecify.annotations.Nullable;

/**
 * The keys that were denied most in the last minute, by a sketch of frequent items: exact up to 1,536 denied keys in 5 s; above
 * that, counts have an error, which is known and at most 0.2 % of all denials, and only keys that surely exceed it are listed.
 * Since when a key is denied, at which times, and when its next permit is granted is known of the 4,096 that were denied last. Not
 * thread-safe.
 */
final class TopDenied {
    private static final int SLOT_SIZE = 2_048; // of a sketch, which keeps three quarters as many keys
    private static final int MINUTE_SIZE = 16 * SLOT_SIZE; // has room for the keys of all 12 slots
    private static final int MOST_STREAKS = 4_096;
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Slots<ItemsSketch<LimitedKey>> slots = new Slots<>(() -> new ItemsSketch<>(SLOT_SIZE));
    private final Map<LimitedKey, Streak> streaks = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LimitedKey, Streak> eldest) {
            return size() > MOST_STREAKS;
        }
    };

    /** Denials of a key with no pause of a minute, and the times of all in a window. */
    private static final class Streak {
        private final @Nullable DenialTimes times;
        private long firstNanos;
        private long lastNanos;
        private @Nullable Wait wait;

        Streak(@Nullable Limit limit, long nanos) {
            times = limit == null ? null : new DenialTimes(limit);
            firstNanos = nanos;
            lastNanos = nanos;
        }

        void add(long nanos) {
            if (nanos - lastNanos > MINUTE_NANOS) {
                firstNanos = nanos;
            }
            lastNanos = nanos;
            if (times != null) {
                times.add(nanos);
            }
        }
    }

    /** At a time, the wait for one permit. */
    private record Wait(long nanos, long retryAfterNanos) {
        long at(long nowNanos) {
            return retryAfterNanos == Long.MAX_VALUE
                    ? Long.MAX_VALUE
                    : Math.max(0, retryAfterNanos - (nowNanos - nanos));
        }
    }

    /**
     * A key that is denied.
     *
     * @param perMinute its denials in the last minute
     * @param error how many of these may have been others'
     * @param inWindow its denials in the last window of the limit, or in the last minute if that is longer; null if not known
     * @param sinceNanos how long ago it was denied first
     * @param nextPermitNanos the time until one permit is granted, {@link Long#MAX_VALUE} if never; null if that is not known
     */
    record Denied(
            LimitedKey key,
            long perMinute,
            long error,
            @Nullable Long inWindow,
            long sinceNanos,
            @Nullable Long nextPermitNanos) {}

    /** Counts a denial. */
    void add(LimitedKey key, long second, long nanos) {
        slots.at(second).update(key);
        streaks.computeIfAbsent(key, first -> new Streak(key.row().limit(), nanos))
                .add(nanos);
    }

    /** Notes after which time a key is granted one permit. */
    void peeked(LimitedKey key, long retryAfterNanos, long nanos) {
        Streak streak = streaks.get(key);
        if (streak != null) {
            streak.wait = new Wait(nanos, retryAfterNanos);
        }
    }

    /** Returns the denials of a key in the latest window of its limit, as {@link DenialTimes#upTo}; empty if they are not known. */
    long[] times(LimitedKey key, long nowNanos) {
        Streak streak = streaks.get(key);
        return streak == null || streak.times == null ? new long[0] : streak.times.upTo(nowNanos);
    }

    void advance(long second) {
        slots.advance(second);
    }

    /** Returns the keys, most denied first; not those of retired rules. */
    List<Denied> top(int most, long nowNanos) {
        ItemsSketch<LimitedKey> minute = new ItemsSketch<>(MINUTE_SIZE);
        slots.all().forEach(minute::merge);
        List<Denied> top = new ArrayList<>();
        for (ItemsSketch.Row<LimitedKey> row : minute.getFrequentItems(ErrorType.NO_FALSE_POSITIVES)) {
            if (top.size() == most) {
                break;
            } else if (!row.getItem().row().isRetired()) {
                top.add(denied(row, nowNanos));
            }
        }
        return top;
    }

    private Denied denied(ItemsSketch.Row<LimitedKey> row, long nowNanos) {
        LimitedKey key = row.getItem();
        long perMinute = row.getEstimate();
        long error = row.getUpperBound() - row.getLowerBound();
        Limit limit = key.row().limit();
        boolean isLong = limit != null && limit.windowNanos() > MINUTE_NANOS;
        Streak streak = streaks.get(key);
        if (streak == null) {
            return new Denied(key, perMinute, error, isLong ? null : perMinute, 0, null);
        }
        long inWindow = isLong ? Arrays.stream(times(key, nowNanos)).sum() : perMinute;
        Long nextPermitNanos = streak.wait == null ? null : streak.wait.at(nowNanos);
        return new Denied(key, perMinute, error, inWindow, nowNanos - streak.firstNanos, nextPermitNanos);
    }
}
