package dev.weir.stress.races;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.TimeSource;
import dev.weir.stress.soak.ForwardingStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A store that denies a key until its retry-after, that instant included, whatever happens to the key or its limits. */
public final class CachedDenialStore extends ForwardingStore {
    private final Map<String, Decision> denials = new ConcurrentHashMap<>();

    public CachedDenialStore(TimeSource timeSource, Room room) {
        super(room.memoryStore(timeSource));
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        Decision denial = denials.get(key);
        if (denial != null && timeSource().nanos() <= denial.timeNanos() + denial.retryAfterNanos()) {
            return denial;
        }
        Decision decision = store.decide(limiter, limits, key, permits);
        if (!decision.allowed()) {
            denials.put(key, decision);
        }
        return decision;
    }
}
