package dev.weir.spring;

import dev.weir.FailurePolicy;
import dev.weir.Limits;
import dev.weir.spring.internal.Problems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The checked settings of a limiter.
 *
 * @param name its name
 * @param limits its limits for keys without a plan
 * @param plans its limits by plan
 * @param onFailure what decides while the store does not answer
 * @param shadow whether it never denies
 */
record LimitSettings(String name, Limits limits, Map<String, Limits> plans, FailurePolicy onFailure, boolean shadow) {

    /** Returns the settings of a limiter; empty if they have problems. */
    static Optional<LimitSettings> parse(
            String name, WeirProperties.Limiter properties, FailurePolicy defaultPolicy, Problems problems) {
        String property = "weir.limits." + name;
        if (!name.matches("[A-Za-z][A-Za-z0-9._-]{0,63}")) {
            problems.add(property, "a name must be a letter and up to 63 more letters, digits, '.', '_' or '-'");
        }
        Optional<Limits> limits = limits(property + ".limit", properties.limit(), problems);
        Map<String, Limits> plans = new LinkedHashMap<>();
        properties
                .plans()
                .forEach((plan, texts) -> limits(property + ".plans." + plan, texts, problems)
                        .ifPresent(parsed -> plans.put(plan, parsed)));
        String text = properties.onFailure();
        FailurePolicy policy = text == null
                ? defaultPolicy
                : problems.parse(property + ".on-failure", () -> FailurePolicies.parse(text))
                        .orElse(defaultPolicy);
        return limits.map(parsed -> new LimitSettings(name, parsed, Map.copyOf(plans), policy, properties.shadow()));
    }

    private static Optional<Limits> limits(String property, List<String> texts, Problems problems) {
        if (texts.isEmpty()) {
            problems.add(property, "a limit is missing, such as 100/1m");
            return Optional.empty();
        }
        return problems.parse(property, () -> Limits.parse(texts.toArray(String[]::new)));
    }
}
