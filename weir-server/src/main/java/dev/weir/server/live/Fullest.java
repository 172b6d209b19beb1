package dev.weir.server.live;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Keys of which more than four fifths of a limit are used: the 256 of which that was last noticed, not too long ago, without those of
 * retired rules. Not thread-safe.
 */
final class Fullest {
    private static final int MOST = 256;
    private static final int MOST_REFRESHED = 40;
    private static final int FIFTHS = 5;
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<LimitedKey, Use> uses = new LinkedHashMap<>(16, 0.75f, true);

    /** What remained of a limit at a time. */
    private record Use(long remaining, long nanos) {}

    /** A key that has used some of the permits of its limit. */
    record Full(LimitedKey key, long used, long of) {
        double share() {
            return (double) used / of;
        }
    }

    /** Returns whether a key belongs here. */
    static boolean isNearlyFull(Limit limit, long remaining) {
        return remaining < limit.maxPermitsPerRequest() / FIFTHS
                || (remaining == 0 && limit.maxPermitsPerRequest() > 1);
    }

    /** Notes what remains for a key. One that is denied takes no other's place. */
    void put(LimitedKey key, long remaining, long nanos, boolean denied) {
        Limit limit = key.row().limit();
        if (limit == null || !isNearlyFull(limit, remaining)) {
            uses.remove(key);
        } else if (!denied || uses.size() < MOST || uses.containsKey(key)) {
            uses.put(key, new Use(remaining, nanos));
            if (uses.size() > MOST) {
                uses.remove(uses.keySet().iterator().next());
            }
        }
    }

    /** Returns the keys that have not been noticed for a second; at most 40, those waiting longest. */
    List<LimitedKey> stale(long nowNanos) {
        removeOld(nowNanos);
        return uses.entrySet().stream()
                .filter(use -> nowNanos - use.getValue().nanos > FRESH_NANOS)
                .map(Map.Entry::getKey)
                .limit(MOST_REFRESHED)
                .toList();
    }

    /** Returns the keys, fullest first. */
    List<Full> top(int most, long nowNanos) {
        removeOld(nowNanos);
        List<Full> all = new ArrayList<>();
        uses.forEach((key, use) -> {
            long of = limit(key).maxPermitsPerRequest();
            all.add(new Full(key, of - use.remaining, of));
        });
        all.sort(Comparator.comparingDouble(Full::share)
                .reversed()
                .thenComparing(full -> full.key().key()));
        return all.subList(0, Math.min(most, all.size()));
    }

    /**
     * Removes what no longer holds: a key that has not been noticed for as long as its limit takes to be unused again, a window or more
     * with a burst. It stays until it could be looked at again.
     */
    private void removeOld(long nowNanos) {
        uses.entrySet()
                .removeIf(use -> use.getKey().row().isRetired()
                        || nowNanos - use.getValue().nanos
                                > Math.max(2 * FRESH_NANOS, unusedAfter(limit(use.getKey()))));
    }

    private static long unusedAfter(Limit limit) {
        return (long) ((double) limit.windowNanos() * limit.maxPermitsPerRequest() / limit.permits());
    }

    private static Limit limit(LimitedKey key) {
        return Objects.requireNonNull(key.row().limit(), "a limit that a key can use up");
    }
}
