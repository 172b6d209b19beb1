package dev.weir.server.live;

import dev.weir.Limits;
import dev.weir.server.config.Configuration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the configuration in force.
 *
 * @param candidate limits to compare it with, or null
 */
public record ConfiguredRule(RuleId id, @Nullable Limits candidate) {

    /** Returns the rules of a configuration, policies first. */
    public static List<ConfiguredRule> of(Configuration configuration) {
        List<ConfiguredRule> rules = new ArrayList<>();
        new TreeMap<>(configuration.policies())
                .forEach((name, limits) -> rules.add(new ConfiguredRule(
                        RuleId.of(name, limits), configuration.candidates().get(name))));
        new TreeMap<>(configuration.domains())
                .values()
                .forEach(level -> level.forEach(rule -> {
                    if (!rule.isUnlimited()) {
                        rules.add(new ConfiguredRule(RuleId.of(rule), rule.candidate()));
                    }
                }));
        return rules;
    }
}
