package dev.weir.spring;

import dev.weir.FailurePolicy;
import dev.weir.http.ClientAddress;
import dev.weir.http.HeaderForm;
import dev.weir.internal.Spelling;
import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.spring.internal.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The checked configuration. Immutable and thread-safe. */
final class WeirSettings {
    private static final boolean WEB = isPresent("org.springframework.web.util.pattern.PathPattern");
    private static final int MAX_RULES = 64; // decided together

    private final WeirProperties properties;
    private final List<LimitSettings> limiters = new ArrayList<>();
    private final List<RuleSettings> rules = new ArrayList<>();
    private final Map<String, String> planMembers = new HashMap<>();

    /**
     * Checks the configuration.
     *
     * @param problems those found already
     * @throws InvalidConfigurationException with all problems
     */
    WeirSettings(WeirProperties properties, Problems problems) {
        this.properties = properties;
        FailurePolicy policy = problems.parse("weir.on-failure", () -> FailurePolicies.parse(properties.onFailure()))
                .orElseGet(FailurePolicy::closed);
        ClientAddress address = clientAddress(properties.clientAddress(), problems);
        checkDistinct("weir.limits", properties.limits().keySet(), problems);
        checkDistinct("weir.plans", properties.plans().keySet(), problems);
        properties.limits().forEach((name, limiter) -> {
            checkDistinct("weir.limits." + name + ".plans", limiter.plans().keySet(), problems);
            LimitSettings.parse(name, limiter, policy, problems).ifPresent(limiters::add);
            if (WEB) {
                RuleSettings.parse(name, limiter, address, problems).ifPresent(rules::add);
            }
        });
        addPlans(properties, problems);
        if (rules.stream().filter(rule -> !rule.shadow()).count() > MAX_RULES) {
            problems.add("weir.limits", "at most " + MAX_RULES + " limits without shadow may have a path");
        }
        checkStore(problems);
        problems.throwIfAny();
    }

    /** Checks that no two names are spellings of one. If they are not in brackets, Spring Boot gives both the value of one. */
    private static void checkDistinct(String property, Set<String> names, Problems problems) {
        Map<String, String> known = new HashMap<>();
        for (String name : names) {
            String other = known.putIfAbsent(name.toLowerCase(Locale.ROOT).replaceAll("[_-]", ""), name);
            if (other != null) {
                problems.add(property + "." + name, "differs from '" + other + "' only in case, '-' or '_'");
            }
        }
    }

    private void checkStore(Problems problems) {
        if (store() != WeirProperties.StoreKind.REDIS) {
            return;
        }
        boolean uri = properties.redis().uri() != null;
        if (!isPresent("dev.weir.redis.RedisStore")) {
            problems.add(uri ? "weir.redis.uri" : "weir.store", "needs the dependency dev.weir:weir-redis");
        } else {
            RedisStores.check(properties.redis(), problems);
            if (!uri && !isPresent("org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory")) {
                problems.add(
                        "weir.redis.uri", "must be set if weir.store is redis, because there is no Spring Data Redis");
            }
        }
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, WeirSettings.class.getClassLoader());
    }

    private void addPlans(WeirProperties properties, Problems problems) {
        Set<String> known = new TreeSet<>();
        properties
                .limits()
                .values()
                .forEach(limiter -> known.addAll(limiter.plans().keySet()));
        properties.plans().forEach((plan, keys) -> {
            if (!known.contains(plan)) {
                problems.add(
                        "weir.plans." + plan,
                        "no limiter has limits for this plan" + Spelling.suggestion(plan, List.copyOf(known)));
            }
            keys.forEach(key -> addMember(plan, key, problems));
        });
    }

    private void addMember(String plan, String key, Problems problems) {
        String other = planMembers.putIfAbsent(key, plan);
        if (other != null && !other.equals(plan)) {
            problems.add("weir.plans." + plan, "a key can have one plan, but '" + key + "' has also " + other);
        }
    }

    private static ClientAddress clientAddress(WeirProperties.Address properties, Problems problems) {
        String property = "weir.client-address";
        String headerProperty = property + ".header";
        String proxiesProperty = property + ".trusted-proxies";
        WeirProperties.ForwardedHeader header = properties.header();
        String[] proxies = properties.trustedProxies().toArray(String[]::new);
        boolean unreadable = problems.has(headerProperty); // a header that is none of these; null here
        if (header == null && !unreadable && proxies.length > 0) {
            problems.add(headerProperty, "must be x-forwarded-for or forwarded, because there are trusted-proxies");
        }
        Optional<ClientAddress> found = Optional.empty();
        if (proxies.length > 0) {
            found = problems.parse(
                    proxiesProperty,
                    () -> header == WeirProperties.ForwardedHeader.FORWARDED
                            ? ClientAddress.ofForwarded(proxies)
                            : ClientAddress.ofXForwardedFor(proxies));
        } else if ((header != null || unreadable) && !problems.has(proxiesProperty)) {
            problems.add(proxiesProperty, "must name your proxies, such as 10.0.0.0/8, because there is a header");
        }
        ClientAddress address = found.orElseGet(ClientAddress::ofPeer);
        return problems.parse(property + ".ipv6-prefix", () -> address.withIpv6Prefix(properties.ipv6Prefix()))
                .orElse(address);
    }

    List<LimitSettings> limiters() {
        return List.copyOf(limiters);
    }

    /** Returns the rules for requests; empty if there is no Spring Web. */
    List<RuleSettings> rules() {
        return List.copyOf(rules);
    }

    /** Returns the plan of each key that is listed in the configuration. */
    Map<String, String> planMembers() {
        return Map.copyOf(planMembers);
    }

    Set<HeaderForm> headerForms() {
        return Set.copyOf(properties.headers());
    }

    /** Returns whether denials are answered by error pages. */
    boolean errorPages() {
        return properties.errorPages();
    }

    @Nullable
    Integer filterOrder() {
        return properties.filterOrder();
    }

    WeirProperties.Redis redis() {
        return properties.redis();
    }

    /** Returns where the state is kept: on Redis if its URI is set, unless the configuration says otherwise. */
    WeirProperties.StoreKind store() {
        if (properties.store() != null) {
            return properties.store();
        }
        return properties.redis().uri() == null ? WeirProperties.StoreKind.MEMORY : WeirProperties.StoreKind.REDIS;
    }
}
