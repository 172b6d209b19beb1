package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.Limits;
import java.util.IdentityHashMap;

/** The limits of a trace, each scaled once: every step sends them and compares them. */
final class ScaledLimits {
    private final IdentityHashMap<Limit, Limit> single = new IdentityHashMap<>();
    private final IdentityHashMap<Limits, Limits> several = new IdentityHashMap<>();

    Limit of(Limit limit) {
        return single.computeIfAbsent(limit, RandomLimits::scaled);
    }

    Limits of(Limits limits) {
        return several.computeIfAbsent(limits, RandomLimits::scaled);
    }
}
