package dev.weir.server.decision;

import dev.weir.server.config.RuleLevel;
import dev.weir.server.config.RuleLevel.Node;
import dev.weir.server.config.Wildcard;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a descriptor is limited by its rule, and not by others. Of the others it names at most 20 that branch off the descriptor's path
 * through the rules of its domain, those that match most of its entries first. Values of the descriptor
 * are not shown, since they may be personal data. Time: linear in the descriptors at the levels on that way. Immutable.
 */
public final class MatchExplanation {
    private static final int MOST = 20;

    private final List<String> matched = new ArrayList<>();
    private final List<JsonObject> others = new ArrayList<>();
    private int more;

    /** Explains a descriptor, by the rules of its domain. */
    public MatchExplanation(String domain, RuleLevel rules, List<Entry> entries) {
        List<Beside> levels = new ArrayList<>();
        String path = domain;
        RuleLevel level = rules;
        for (int depth = 0; depth <= entries.size(); depth++) {
            Beside beside = new Beside(path, entries, depth, level);
            levels.add(beside);
            if (beside.found == null) {
                break;
            }
            String key = entries.get(depth).getKey();
            matched.add(matched(key, beside.found.value()));
            path = RuleLevel.path(path, key, beside.found.value());
            level = beside.found.next();
        }
        Collections.reverse(levels);
        levels.forEach(this::add);
    }

    private static String matched(String key, String value) {
        if (value.isEmpty()) {
            return key + " is any";
        }
        return key + (Wildcard.isWildcard(value) ? " matches " : " is ") + value;
    }

    private void add(Beside level) {
        for (List<JsonObject> reasons : List.of(level.sameKey, level.otherKey)) {
            int kept = Math.min(reasons.size(), MOST - others.size());
            others.addAll(reasons.subList(0, kept));
            more -= kept;
        }
        more += level.count;
    }

    /** Returns the explanation as members of an object. */
    public JsonObject json() {
        return new JsonObject()
                .put("matched", String.join(", ", matched))
                .put("notMatched", new JsonArray(others))
                .put("notMatchedMore", more);
    }

    /** The descriptors of one level that do not limit the descriptor; and the one that goes with it, if there is one. */
    private static final class Beside {
        private final List<Entry> entries;
        private final int depth;
        private final @Nullable Node found;
        private final List<JsonObject> sameKey = new ArrayList<>();
        private final List<JsonObject> otherKey = new ArrayList<>();
        private int count;

        Beside(String path, List<Entry> entries, int depth, RuleLevel level) {
            this.entries = entries;
            this.depth = depth;
            Entry entry = depth < entries.size() ? entries.get(depth) : null;
            this.found = entry == null ? null : level.find(entry.getKey(), entry.getValue());
            level.forEachNode((key, node) -> {
                boolean sharesKey = entry != null && entry.getKey().equals(key);
                boolean isFound = sharesKey && node.equals(found);
                String reason = isFound ? reasonOfFound(node) : reason(entry, key, node.value());
                if (reason != null) {
                    add(sharesKey ? sameKey : otherKey, RuleLevel.path(path, key, node.value()), reason);
                }
            });
        }

        private void add(List<JsonObject> reasons, String descriptor, String reason) {
            count++;
            if (reasons.size() < MOST) {
                reasons.add(new JsonObject().put("descriptor", descriptor).put("reason", reason));
            }
        }

        private @Nullable String reasonOfFound(Node node) {
            boolean last = depth == entries.size() - 1;
            if (last) {
                return node.rule() == null ? "it has no rate_limit" : null;
            }
            return node.rule() == null ? null : "the entries go on after it";
        }

        private String reason(@Nullable Entry entry, String key, String value) {
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
    }
}
