package dev.weir.server.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules at one level of a domain, by key and value. An exact value is preferred to a pattern, a pattern to a key without a
 * value; among patterns the first in the file. Immutable.
 */
public final class RuleLevel {
    static final RuleLevel EMPTY = new RuleLevel(Map.of());

    private final Map<String, Key> keys;

    /**
     * A place in the tree.
     *
     * @param value the value or pattern; empty if the node is of any value
     * @param rule the rule for descriptors that end here, or null
     * @param next the rules for descriptors that have further entries
     * @param shared whether all descriptors here count as the pattern, or each value by itself
     */
    public record Node(String value, @Nullable Rule rule, RuleLevel next, boolean shared) {
        private void forEach(Consumer<Rule> action) {
            if (rule != null) {
                action.accept(rule);
            }
            next.forEach(action);
        }
    }

    /** The nodes of one key. */
    private static final class Key {
        private final Map<String, Node> exact = new LinkedHashMap<>();
        private final Patterns<Node> patterns = new Patterns<>();
        private @Nullable Node any;

        @Nullable
        Node find(String value) {
            Node node = exact.get(value);
            if (node != null) {
                return node;
            }
            Patterns.Entry<Node> pattern = patterns.first(value);
            return pattern == null ? any : pattern.node();
        }
    }

    /** Returns the path of a node, from that of its parent: {@code edge.path_/api} is below {@code edge}. */
    public static String path(String parent, String key, String value) {
        return parent + "." + key + (value.isEmpty() ? "" : "_" + value);
    }

    private RuleLevel(Map<String, Key> keys) {
        this.keys = keys;
    }

    /** Returns the node of an entry, or null if none matches. */
    @Nullable
    public Node find(String key, String value) {
        Key known = keys.get(key);
        return known == null ? null : known.find(value);
    }

    /** Passes on all nodes with their keys: keys, and values of each, in the order of the file, and a key without a value last. */
    public void forEachNode(BiConsumer<String, Node> action) {
        keys.forEach((key, nodes) -> {
            nodes.exact.values().forEach(node -> action.accept(key, node));
            if (nodes.any != null) {
                action.accept(key, nodes.any);
            }
        });
    }

    /** Passes on all rules of this level and those below. */
    public void forEach(Consumer<Rule> action) {
        forEachNode((key, node) -> node.forEach(action));
    }

    /** Collects the nodes of a level. Not thread-safe. */
    static final class Builder {
        private final Map<String, Key> keys = new LinkedHashMap<>();

        /** Adds a node. Returns false if there is one already. */
        boolean add(String key, Node node) {
            String value = node.value;
            Key nodes = keys.computeIfAbsent(key, absent -> new Key());
            if (value.isEmpty()) {
                boolean first = nodes.any == null;
                nodes.any = first ? node : nodes.any;
                return first;
            }
            if (Wildcard.isWildcard(value)) {
                nodes.patterns.add(new Wildcard(value), node);
            }
            return nodes.exact.putIfAbsent(value, node) == null;
        }

        RuleLevel build() {
            return keys.isEmpty() ? EMPTY : new RuleLevel(Collections.unmodifiableMap(keys));
        }
    }
}
