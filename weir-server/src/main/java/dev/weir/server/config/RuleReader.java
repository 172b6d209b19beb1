package dev.weir.server.config;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.server.config.Rule.Mode;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the rules of a domain. Not thread-safe. */
final class RuleReader {
    private static final String CANDIDATE = "candidate";
    private static final String REQUESTS = "requests_per_unit";
    private static final List<String> DESCRIPTOR = List.of(
            "key",
            "value",
            "rate_limit",
            "descriptors",
            "shadow_mode",
            "quota_mode",
            "share_threshold",
            "detailed_metric",
            "value_to_metric",
            "metadata",
            CANDIDATE);
    private static final List<String> RATE_LIMIT =
            List.of("unit", REQUESTS, "unlimited", "name", "replaces", "algorithm", "window");
    private static final int MAX_RULES = 100_000;
    private static final int MAX_DEPTH = 32;

    private final String defaultAlgorithm;
    private final Consumer<Limits> check;
    private final Map<String, Rule> named = new HashMap<>();
    private int rules;

    RuleReader(boolean fixedWindow, Consumer<Limits> check) {
        this.defaultAlgorithm = fixedWindow ? "fixed-window" : "sliding-log";
        this.check = check;
    }

    /** Reads the descriptors of a domain into its first level. */
    void read(String domain, YamlMapping root, RuleLevel.Builder level) {
        read(domain, root, level, 0);
    }

    private void read(String path, YamlMapping parent, RuleLevel.Builder level, int depth) {
        if (depth == MAX_DEPTH) {
            if (parent.has("descriptors")) {
                parent.problem("descriptors must be nested at most " + depth + " deep");
            }
            return;
        }
        for (YamlMapping descriptor : parent.mappings("descriptors")) {
            rules++;
            if (rules == MAX_RULES + 1) {
                descriptor.problem("there must be at most " + MAX_RULES + " descriptors");
            } else if (rules <= MAX_RULES) {
                add(level, path, descriptor, depth);
            }
        }
    }

    private void add(RuleLevel.Builder level, String parent, YamlMapping descriptor, int depth) {
        descriptor.allow(DESCRIPTOR, RATE_LIMIT, "under rate_limit");
        String key = descriptor.text("key");
        String value = descriptor.text("value");
        String path = RuleLevel.path(parent, key, value);
        if (key.isEmpty()) {
            descriptor.problem("descriptor has an empty key");
            return;
        }
        boolean shared = descriptor.flag("share_threshold");
        if (shared && !Wildcard.isWildcard(value)) {
            descriptor.problem("share_threshold", "share_threshold needs a value with *");
        }
        descriptor.flag("detailed_metric");
        descriptor.flag("value_to_metric");
        Mode mode = mode(descriptor);
        Rule rule = descriptor
                .mapping("rate_limit")
                .flatMap(limit -> rule(path, mode, limit))
                .map(limited -> withCandidate(limited, descriptor))
                .orElse(null);
        if (rule == null && descriptor.contains(CANDIDATE) && !descriptor.has("rate_limit")) {
            descriptor.problem(CANDIDATE, "candidate needs a rate_limit to be compared with");
        }
        RuleLevel.Builder next = new RuleLevel.Builder();
        read(path, descriptor, next, depth + 1);
        if (!level.add(key, new RuleLevel.Node(value, rule, next.build(), shared))) {
            descriptor.problem("duplicate descriptor '" + path + "'");
        } else if (rule != null) {
            Rule other = named.putIfAbsent(path, rule);
            if (other != null && (rule.candidate() != null || other.candidate() != null)) {
                descriptor.problem("candidate needs a rule whose name '" + path + "' no other rule has");
            }
        }
    }

    private Rule withCandidate(Rule rule, YamlMapping descriptor) {
        if (!descriptor.contains(CANDIDATE)) {
            return rule;
        } else if (rule.isUnlimited()) {
            descriptor.problem(CANDIDATE, "candidate must not be given together with unlimited");
            return rule;
        }
        return descriptor.limits(CANDIDATE, check).map(rule::comparedWith).orElse(rule);
    }

    private static Mode mode(YamlMapping descriptor) {
        boolean quota = descriptor.flag("quota_mode");
        return descriptor.flag("shadow_mode") ? Mode.SHADOW : quota ? Mode.QUOTA : Mode.LIVE;
    }

    private Optional<Rule> rule(String path, Mode mode, YamlMapping limit) {
        limit.allow(RATE_LIMIT, DESCRIPTOR, "next to rate_limit, not under it");
        String name = limit.text("name");
        Set<String> replaces = replaces(name, limit);
        if (limit.flag("unlimited")) {
            for (String rate : List.of("unit", "window", "algorithm")) {
                if (limit.has(rate)) {
                    limit.problem(rate, rate + " must not be given together with unlimited");
                }
            }
            return Optional.of(Rule.unlimited(path, name, replaces, mode));
        }
        return limited(path, name, replaces, mode, limit);
    }

    private Optional<Rule> limited(String path, String name, Set<String> replaces, Mode mode, YamlMapping limit) {
        if (!limit.has(REQUESTS)) {
            limit.problem(REQUESTS, REQUESTS + " is missing; 0 denies everything");
        }
        long requests = limit.number(REQUESTS);
        String window = window(limit);
        if (window == null) {
            return Optional.empty();
        }
        String given = limit.text("algorithm");
        String[] algorithm = (given.isEmpty() ? defaultAlgorithm : given).split(" ", 2);
        String text = algorithm[0] + " " + Math.max(1, requests) + "/" + window
                + (algorithm.length > 1 ? " " + algorithm[1] : "");
        try {
            Limits limits = Limits.of(Limit.parse(text));
            check.accept(limits);
            RateLimit shown = RateLimit.newBuilder()
                    .setRequestsPerUnit((int) requests)
                    .setUnit(LimitUnit.shown(limits.list().get(0).windowNanos()))
                    .setName(name)
                    .build();
            return Optional.of(Rule.limited(path, limits, shown, replaces, mode));
        } catch (IllegalArgumentException e) {
            limit.problem(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static @Nullable String window(YamlMapping limit) {
        String unit = limit.text("unit");
        if (limit.has("window")) {
            if (!unit.isEmpty()) {
                limit.problem("window", "window must not be given together with unit");
            }
            String window = limit.text("window");
            if (!window.chars().allMatch(Character::isLetterOrDigit)) {
                limit.problem("window", "window must be a duration such as 30s, was '" + window + "'");
                return null;
            }
            return window;
        }
        Optional<LimitUnit> known = LimitUnit.named(unit);
        if (known.isEmpty()) {
            limit.problem(
                    "unit",
                    "unit must be second, minute, hour, day, week, month or year, was '" + unit
                            + "'; for other lengths give a window, such as 30s");
        }
        return known.map(LimitUnit::window).orElse(null);
    }

    private static Set<String> replaces(String own, YamlMapping limit) {
        Set<String> names = new HashSet<>();
        for (YamlMapping replaced : limit.mappings("replaces")) {
            replaced.allow(List.of("name"));
            String name = replaced.text("name");
            if (name.isEmpty()) {
                replaced.problem("replaces must name a rule");
            } else if (name.equals(own)) {
                replaced.problem("replaces must not name its own rule");
            }
            names.add(name);
        }
        return names;
    }
}
