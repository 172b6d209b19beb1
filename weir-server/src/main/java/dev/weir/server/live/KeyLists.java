package dev.weir.server.live;

import java.util.LinkedHashSet;
import java.util.Set;

/** The lists of keys: denied, nearly full, blocked. Belongs to the thread that samples. */
final class KeyLists {
    /** The number of keys that are listed as most denied, and as blocked. */
    static final int MOST_LISTED = 20;

    final TopDenied denied = new TopDenied();
    final Fullest fullest = new Fullest();
    final Blocked blocked = new Blocked();
    final DistinctKeys limited = new DistinctKeys();
    private long second;

    /** Adds a denial of more than what remains. */
    void denied(LimitRow row, String key, long remaining, long nanos) {
        LimitedKey limitedKey = new LimitedKey(row, key);
        denied.add(limitedKey, second, nanos);
        row.deniedKeys.add(limitedKey.hash(), second);
        limited.add(limitedKey.hash(), second);
        fullest.put(limitedKey, remaining, nanos, true);
    }

    /** Adds a grant that left little. */
    void nearlyFull(LimitRow row, String key, long remaining, long nanos) {
        fullest.put(new LimitedKey(row, key), remaining, nanos, false);
    }

    /** Returns the listed keys whose state is to be read: those denied most, and those nearly full that were not noticed for a second. */
    Set<LimitedKey> stale(long nowNanos) {
        Set<LimitedKey> stale = new LinkedHashSet<>(fullest.stale(nowNanos));
        for (TopDenied.Denied listed : denied.top(MOST_LISTED, nowNanos)) {
            if (listed.key().row().limit() != null) {
                stale.add(listed.key());
            }
        }
        return stale;
    }

    /** Notes what remains for a key, and after which time one permit is granted. */
    void peeked(LimitedKey key, long remaining, long retryAfterNanos, long nanos) {
        fullest.put(key, remaining, nanos, true);
        denied.peeked(key, retryAfterNanos, nanos);
    }

    long second() {
        return second;
    }

    /** Moves on to a second. */
    void advance(long now) {
        second = now;
        denied.advance(second);
        limited.advance(second);
    }
}
