package dev.weir.server.config;

import dev.weir.server.config.RuleLevel.Node;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the server limits: the rules of each domain, and the policies by name. Immutable; a request is decided with the one that
 * is in force when it arrives.
 */
public record Configuration(Map<String, RuleLevel> domains, Map<String, Rule> policies) {
    /** Copies the maps. */
    public Configuration {
        domains = Map.copyOf(domains);
        policies = Map.copyOf(policies);
    }

    /**
     * A rule that matches a descriptor.
     *
     * @param key the key under which the descriptor is counted
     */
    public record Match(Rule rule, String key) {}

    /** Returns the rules that limit requests, policies first. */
    public List<Rule> rules() {
        List<Rule> rules = new ArrayList<>(new TreeMap<>(policies).values());
        new TreeMap<>(domains)
                .values()
                .forEach(level -> level.forEach(rule -> {
                    if (!rule.isUnlimited()) {
                        rules.add(rule);
                    }
                }));
        return rules;
    }

    /** Returns what this contains, in one line. */
    public String summary() {
        AtomicInteger rules = new AtomicInteger();
        domains.values().forEach(level -> level.forEach(rule -> rules.incrementAndGet()));
        return count(domains.size(), "domain", "domains")
                + " with "
                + count(rules.get(), "rule", "rules")
                + ", "
                + count(policies.size(), "policy", "policies");
    }

    /** Returns what this and the configuration before contain, and which policies only that one has, in one line. */
    String changeFrom(Configuration before) {
        Set<String> removed = new TreeSet<>(before.policies.keySet());
        removed.removeAll(policies.keySet());
        String names = removed.isEmpty() ? "" : "; removed: " + String.join(", ", removed);
        return summary() + "; before: " + before.summary() + names;
    }

    private static String count(int number, String one, String several) {
        return number + " " + (number == 1 ? one : several);
    }

    /** Returns the rule of a descriptor, or null if there is none at exactly its depth. */
    @Nullable
    public Match match(String domain, List<Entry> entries) {
        RuleLevel level = domains.get(domain);
        KeyText key = new KeyText(domain);
        Node node = null;
        for (int i = 0; i < entries.size() && level != null; i++) {
            Entry entry = entries.get(i);
            node = level.find(entry.getKey(), entry.getValue());
            if (node == null) {
                return null;
            }
            key.add(entry.getKey(), node.shared() ? node.value() : entry.getValue());
            level = node.next();
        }
        return node == null || node.rule() == null ? null : new Match(node.rule(), key.key());
    }
}
