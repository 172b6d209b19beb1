package dev.weir.server.live;

/** The lists of keys: denied, nearly full, blocked. Belongs to the thread that samples. */
final class KeyLists {
    final TopDenied denied = new TopDenied();
    final Fullest fullest = new Fullest();
    final Blocked blocked = new Blocked();
    final DistinctKeys limited = new DistinctKeys();
    private long second;

    /** Adds a denial. */
    void denied(RuleRows rule, int limit, String key, long nanos, long retryAfterNanos) {
        LimitedKey limitedKey = new LimitedKey(rule, limit, key);
        denied.add(limitedKey, second, nanos, retryAfterNanos);
        limitedKey.row().deniedKeys.add(limitedKey.hash(), second);
        limited.add(limitedKey.hash(), second);
        fullest.put(limitedKey, 0, nanos, true);
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
