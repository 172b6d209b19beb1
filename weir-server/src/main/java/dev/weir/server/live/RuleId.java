package dev.weir.server.live;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.server.config.ReservedNames;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;

/**
 * The identity of a rule: its decisions are counted as long as this is the same.
 *
 * @param limiter the name of the limiter that holds its state
 * @param name its name for operators
 * @param mode what its denials mean
 * @param limits its limits
 * @param denies whether it denies everything, whatever its limits are
 * @param configured whether it is a rule of a configuration; else a request brought its limits
 */
public record RuleId(String limiter, String name, Mode mode, Limits limits, boolean denies, boolean configured) {
    /** Returns the rule of a request by HTTP: that of its policy, or of its own limits. */
    public static RuleId of(Request request) {
        String limiter = request.limiter();
        boolean configured = !limiter.equals(ReservedNames.UNNAMED);
        return new RuleId(limiter, limiter, Mode.LIVE, request.limits(), false, configured);
    }

    /** Returns the identity of a rule of a configuration, or of descriptors that bring their limits. */
    public static RuleId of(Rule rule) {
        boolean configured =
                !rule.limiter().equals(ReservedNames.ENVOY) || !rule.path().equals(Rule.OVERRIDE);
        return new RuleId(rule.limiter(), rule.path(), rule.mode(), rule.limits(), rule.denies(), configured);
    }

    /** Returns the text of the limit at a position. */
    public String text(int limit) {
        return denies ? "denies everything" : limits.list().get(limit).toString();
    }
}
