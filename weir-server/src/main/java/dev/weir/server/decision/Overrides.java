package dev.weir.server.decision;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.server.config.LimitUnit;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;
import dev.weir.store.Store;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.Set;

/** The rules that descriptors bring themselves. Thread-safe. */
public final class Overrides {
    private final String algorithm;
    private final Store store;
    private final Interned<Rate, Rule> rules = new Interned<>(this::create);

    /**
     * What is read of an override. The message itself could have any other fields, as large as a message may be.
     *
     * @param requests the number of requests, without sign
     * @param unit the number of the unit in Envoy's API
     */
    private record Rate(int requests, int unit) {}

    public Overrides(boolean fixedWindow, Store store) {
        this.algorithm = fixedWindow ? "fixed-window " : "sliding-log ";
        this.store = store;
    }

    /**
     * Returns the rule of an override.
     *
     * @throws InvalidRequestException if it has no unit, or if the store cannot hold the limit
     */
    Rule rule(RateLimitOverride override) {
        return rules.get(new Rate(override.getRequestsPerUnit(), override.getUnitValue()));
    }

    private Rule create(Rate rate) {
        LimitUnit unit = LimitUnit.numbered(rate.unit)
                .orElseThrow(() -> new InvalidRequestException("the limit of a descriptor must have a unit"));
        RateLimit shown = RateLimit.newBuilder()
                .setRequestsPerUnit(rate.requests)
                .setUnitValue(rate.unit)
                .build();
        long requests = Math.max(1, Integer.toUnsignedLong(rate.requests));
        Limits limits = Limits.of(Limit.parse(algorithm + requests + "/" + unit.window()));
        try {
            store.check(limits);
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(String.valueOf(e.getMessage()));
        }
        return Rule.limited(Rule.OVERRIDE, limits, shown, Set.of(), Mode.LIVE);
    }
}
