package dev.weir.server.decision;

import dev.weir.Request;
import dev.weir.server.config.Configuration;
import dev.weir.server.config.ReservedNames;
import dev.weir.server.config.Rule;
import dev.weir.server.live.ConfiguredRule;
import dev.weir.server.live.RuleId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Names the rules whose decisions are recorded. */
public final class RuleIds {
    private static final String LIVE = "live";

    private RuleIds() {}

    /** Returns the rule of a request by HTTP: that of its policy, or of its own limits. */
    public static RuleId of(Request request) {
        String limiter = request.limiter();
        return new RuleId(limiter, limiter, LIVE, request.limits(), false, !limiter.equals(ReservedNames.UNNAMED));
    }

    /** Returns a rule of descriptors. */
    public static RuleId of(Rule rule) {
        boolean configured = !rule.path().equals(Overrides.PATH);
        return new RuleId(
                ReservedNames.ENVOY, rule.path(), rule.mode().text(), rule.limits(), rule.denies(), configured);
    }

    /** Returns the rules of a configuration, policies first. */
    public static List<ConfiguredRule> of(Configuration configuration) {
        List<ConfiguredRule> rules = new ArrayList<>();
        new TreeMap<>(configuration.policies())
                .forEach((name, limits) -> rules.add(new ConfiguredRule(
                        new RuleId(name, name, LIVE, limits, false, true),
                        configuration.candidates().get(name))));
        new TreeMap<>(configuration.domains())
                .values()
                .forEach(level -> level.forEach(rule -> {
                    if (!rule.isUnlimited()) {
                        rules.add(new ConfiguredRule(of(rule), rule.candidate()));
                    }
                }));
        return rules;
    }
}
