package dev.weir.spring;

import dev.weir.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A limiter as the actuator shows it, with the limits in force.
 *
 * @param limits the texts of its limits
 * @param plans the texts of its limits by plan
 * @param onFailure what decides while the store does not answer
 * @param shadow whether it never denies
 * @param rule the requests that it limits; null if it is only for code
 */
record LimiterDescription(
        List<String> limits,
        Map<String, List<String>> plans,
        String onFailure,
        boolean shadow,
        @Nullable Rule rule) {

    /**
     * The requests that a limiter limits.
     *
     * @param paths the patterns of their paths
     * @param methods their methods, all if empty
     * @param when an expression that must not be false
     * @param key what is limited
     * @param maxWait how long a request may be held
     */
    record Rule(
            List<String> paths,
            Set<String> methods,
            @Nullable String when,
            String key,
            @Nullable Duration maxWait) {
        private static Rule of(RuleSettings rule) {
            return new Rule(
                    rule.paths().stream().map(Object::toString).toList(),
                    new TreeSet<>(rule.methods()),
                    rule.when() == null ? null : rule.when().toString(),
                    rule.key().toString(),
                    rule.maxWait());
        }
    }

    static LimiterDescription of(ConfiguredLimiter limiter, WeirSettings settings) {
        LimitSettings configured = limiter.settings();
        Map<String, List<String>> plans = new TreeMap<>();
        limiter.plans().forEach((plan, limits) -> plans.put(plan, texts(limits)));
        Rule rule = settings.rules().stream()
                .filter(candidate -> candidate.limiter().equals(configured.name()))
                .findFirst()
                .map(Rule::of)
                .orElse(null);
        return new LimiterDescription(
                texts(limiter.limits()), plans, configured.onFailure().toString(), configured.shadow(), rule);
    }

    private static List<String> texts(Limits limits) {
        return limits.list().stream().map(Object::toString).toList();
    }
}
