package dev.weir.server.config;

import dev.weir.Limits;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Reads configuration files: those of envoyproxy/ratelimit, each with a domain, and policies of ours. All problems of all files
 * are collected. Not thread-safe; used once.
 */
final class ConfigurationReader {
    private static final List<String> ROOT = List.of("domain", "descriptors", "policies");
    private static final Pattern POLICY = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,63}");
    private static final String LIMITS = "limits";
    private static final String CANDIDATE = "candidate";

    private final RuleReader rules;
    private final Consumer<Limits> check;
    private final Set<Problem> problems =
            new LinkedHashSet<>(); // one of a place that is read often, by aliases, is there once
    private final boolean mergeDomains;
    private final Map<String, RuleLevel.Builder> domains = new HashMap<>();
    private final Map<String, Rule> policies = new HashMap<>();

    /**
     * Creates a reader.
     *
     * @param fixedWindow whether limits without an algorithm are fixed windows
     * @param mergeDomains whether several files may have the same domain
     * @param check throws an {@link IllegalArgumentException} if the store cannot hold limits
     */
    ConfigurationReader(boolean fixedWindow, boolean mergeDomains, Consumer<Limits> check) {
        this.rules = new RuleReader(fixedWindow, check);
        this.mergeDomains = mergeDomains;
        this.check = check;
    }

    /**
     * Reads files.
     *
     * @return the configuration
     * @throws ConfigurationException if there is a problem
     */
    Configuration read(Map<Path, String> files) {
        files.forEach((file, text) -> read(file.toString(), text));
        if (!problems.isEmpty()) {
            throw new ConfigurationException(List.copyOf(problems));
        }
        Map<String, RuleLevel> built = new HashMap<>();
        domains.forEach((domain, level) -> built.put(domain, level.build()));
        return new Configuration(built, policies);
    }

    private void read(String name, String text) {
        YamlFile file = new YamlFile(name, problems);
        file.read(text)
                .flatMap(node -> YamlMapping.of(file, node, "a configuration"))
                .ifPresent(this::read);
    }

    private void read(YamlMapping root) {
        if (root.contains("apiVersion") && root.contains("kind")) {
            root.problem("this is an object of Kubernetes (" + root.text("kind")
                    + "); a configuration begins with domain, such as the text under data in a ConfigMap");
            return;
        }
        int before = problems.size();
        root.allow(ROOT);
        root.mapping("policies").ifPresent(this::readPolicies);
        String domain = root.text("domain");
        if (domain.isEmpty() && !root.has("descriptors") && !root.contains("domain")) {
            if (!root.has("policies") && problems.size() == before) {
                root.problem("there are neither policies nor a domain");
            }
            return;
        }
        rules.read(domain, root, level(root, domain));
    }

    /** Returns where the rules of a domain go. */
    private RuleLevel.Builder level(YamlMapping root, String domain) {
        RuleLevel.Builder level = new RuleLevel.Builder();
        if (domain.isEmpty()) {
            root.problem("domain must not be empty");
            return level; // so that the problems of the descriptors are found, too
        }
        RuleLevel.Builder former = domains.putIfAbsent(domain, level);
        if (former != null && mergeDomains) {
            return former;
        } else if (former != null) {
            root.problem("domain", "duplicate domain '" + domain + "'; --merge-domains puts its descriptors together");
        }
        return level;
    }

    private void readPolicies(YamlMapping listed) {
        for (String name : listed.names()) {
            if (!POLICY.matcher(name).matches() || ReservedNames.ALL.contains(name)) {
                listed.keyProblem(
                        name,
                        "the name of a policy must be a letter and up to 63 more letters, digits, '.', '_' or '-', and not"
                                + " envoy, default or candidate, was '" + name + "'");
                continue;
            }
            readPolicy(listed, name);
        }
    }

    /** A policy is its limits, or a mapping with these and a candidate. */
    private void readPolicy(YamlMapping listed, String name) {
        boolean compared = listed.isMapping(name);
        YamlMapping policy = compared ? listed.mapping(name).orElseThrow() : listed;
        if (compared) {
            policy.allow(List.of(LIMITS, CANDIDATE));
        }
        Limits candidate = compared && policy.contains(CANDIDATE)
                ? policy.limits(CANDIDATE, check).orElse(null)
                : null;
        policy.limits(compared ? LIMITS : name, check).ifPresent(limits -> {
            if (policies.put(name, Rule.ofPolicy(name, limits, candidate)) != null) {
                listed.keyProblem(name, "duplicate policy '" + name + "'");
            }
        });
    }
}
