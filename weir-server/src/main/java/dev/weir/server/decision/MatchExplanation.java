package dev.weir.server.decision;

import dev.weir.server.config.RuleLevel;
import dev.weir.server.config.RuleLevel.Node;
import dev.weir.server.config.Wildcard;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a descriptor is limited by its rule, and not by others. Of the others it names at most 20 that branch off the descriptor's path
 * through the rules of its domain, those that match most of its entries first. Values of the descriptor
 * are not shown, since they may be personal data. Time: linear in the descriptors at the levels on that way. Immutable.
 */
public final class MatchExplanation {
    private static final int MOST = 20;

    private final List<Entry> entries;
    private final List<String> matched = new ArrayList<>();
    private final List<JsonObject> others = new ArrayList<>();
    private int more;

    /** Explains a descriptor, by the rules of its domain. */
    public MatchExplanation(String domain, RuleLevel rules, List<Entry> entries) {
        this.entries = entries;
        explain(domain, rules, 0);
    }

    /** Explains the levels below first, whose descriptors match more entries, and of this one those with the key of the entry first. */
    private void explain(String path, RuleLevel level, int depth) {
        Entry entry = depth < entries.size() ? entries.get(depth) : null;
        Node found = entry == null ? null : level.find(entry.getKey(), entry.getValue());
        if (entry != null && found != null) {
            matched.add(matched(entry.getKey(), found.value()));
            explain(RuleLevel.path(path, entry.getKey(), found.value()), found.next(), depth + 1);
        }
        String ownKey = entry == null ? null : entry.getKey();
        for (boolean sharesKey : new boolean[] {true, false}) {
            level.forEachNode((key, node) -> {
                if (key.equals(ownKey) == sharesKey) {
                    boolean isFound = sharesKey && node.equals(found);
                    String reason = isFound ? reasonOfFound(node, depth) : reason(entry, depth, key, node.value());
                    add(path, key, node, reason);
                }
            });
        }
    }

    private static String matched(String key, String value) {
        if (value.isEmpty()) {
            return key + " is any";
        }
        return key + (Wildcard.isWildcard(value) ? " matches " : " is ") + value;
    }

    private void add(String path, String key, Node node, @Nullable String reason) {
        if (reason != null && others.size() < MOST) {
            String descriptor = RuleLevel.path(path, key, node.value());
            others.add(new JsonObject().put("descriptor", descriptor).put("reason", reason));
        } else if (reason != null) {
            more++;
        }
    }

    /** Returns why the rule of a node on the descriptor's path does not limit it; null if it does, or if there is no rule to explain. */
    private @Nullable String reasonOfFound(Node node, int depth) {
        boolean last = depth == entries.size() - 1;
        if (last) {
            return node.rule() == null ? "it has no rate_limit" : null;
        }
        return node.rule() == null ? null : "the entries go on after it";
    }

    private static String reason(@Nullable Entry entry, int depth, String key, String value) {
        if (entry == null) {
            return "the entries end before " + key;
        } else if (!entry.getKey().equals(key)) {
            return "entry " + (depth + 1) + " is " + entry.getKey() + ", not " + key;
        } else if (value.isEmpty() || new Wildcard(value).matches(entry.getValue())) {
            return "another descriptor matches before it";
        }
        return Wildcard.isWildcard(value)
                ? "the value of " + key + " does not match " + value
                : "the value of " + key + " is not " + value;
    }

    /** Returns the explanation as members of an object. */
    public JsonObject json() {
        return new JsonObject()
                .put("matched", String.join(", ", matched))
                .put("notMatched", new JsonArray(others))
                .put("notMatchedMore", more);
    }
}
