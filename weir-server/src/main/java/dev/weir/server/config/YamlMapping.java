package dev.weir.server.config;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A mapping in a YAML file. What is absent or null has the default of its type. Not thread-safe. */
final class YamlMapping {
    private static final long MAX_UINT32 = 0xFFFF_FFFFL;
    private static final String NUMBER = "a whole number from 0 to " + MAX_UINT32;
    private static final String FLAG = "true or false";
    private static final Set<String> TRUE = Set.of("true", "yes", "on", "y");
    private static final Set<String> FALSE = Set.of("false", "no", "off", "n");

    private final YamlFile file;
    private final Node node;
    private final Map<String, NodeTuple> fields;

    private YamlMapping(YamlFile file, Node node, Map<String, NodeTuple> fields) {
        this.file = file;
        this.node = node;
        this.fields = fields;
    }

    /** Reads a node as a mapping; empty if it is none, which is then a problem. */
    static Optional<YamlMapping> of(YamlFile file, Node node, String what) {
        if (!(node instanceof MappingNode mapping)) {
            file.problem(node, what + " must be a mapping");
            return Optional.empty();
        }
        Map<String, NodeTuple> fields = new LinkedHashMap<>();
        mapping.getValue().forEach(entry -> put(file, entry, fields));
        return Optional.of(new YamlMapping(file, node, fields));
    }

    private static void put(YamlFile file, NodeTuple entry, Map<String, NodeTuple> fields) {
        if (!(entry.getKeyNode() instanceof ScalarNode key)) {
            file.problem(entry.getKeyNode(), "a key must be a text");
        } else if (fields.put(key.getValue(), entry) != null) {
            file.problem(key, "duplicate key '" + key.getValue() + "'");
        }
    }

    /** Reports each field that has another name, with the known name that is nearest. */
    void allow(List<String> known) {
        allow(known, List.of(), "");
    }

    /** Reports each field that has another name: with its place if it is known elsewhere, else with the known name that is nearest. */
    void allow(List<String> known, List<String> elsewhere, String place) {
        for (String field : fields.keySet()) {
            if (!known.contains(field)) {
                keyProblem(
                        field,
                        elsewhere.contains(field)
                                ? "key '" + field + "' belongs " + place
                                : "unknown key '" + field + "'" + Spelling.suggestion(field, known));
            }
        }
    }

    /** Reports a problem with this mapping. */
    void problem(String message) {
        file.problem(node, message);
    }

    /** Reports a problem with the value of a field, or with this mapping if the field is absent. */
    void problem(String field, String message) {
        Node value = value(field);
        file.problem(value == null ? node : value, message);
    }

    /** Reports a problem with the key of a field. */
    void keyProblem(String field, String message) {
        NodeTuple entry = fields.get(field);
        file.problem(entry == null ? node : entry.getKeyNode(), message);
    }

    private @Nullable Node value(String field) {
        NodeTuple entry = fields.get(field);
        return entry == null ? null : entry.getValueNode();
    }

    /** Returns whether a field is there, perhaps without a value. */
    boolean contains(String field) {
        return fields.containsKey(field);
    }

    /** Returns whether a field has a value. */
    boolean has(String field) {
        return present(field).isPresent();
    }

    private Optional<Node> present(String field) {
        return Optional.ofNullable(value(field)).filter(value -> !value.getTag().equals(Tag.NULL));
    }

    /** Returns a text as it stands in the file; empty by default. */
    String text(String field) {
        return text(field, "a text");
    }

    private String text(String field, String kind) {
        return present(field).map(value -> scalar(field, value, kind)).orElse("");
    }

    private String scalar(String field, Node value, String kind) {
        if (value instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        file.problem(
                value, field + " must be " + kind + ", was a " + (value instanceof MappingNode ? "mapping" : "list"));
        return "";
    }

    /** Returns a boolean, in any of YAML's spellings; false by default. */
    boolean flag(String field) {
        String text = text(field, FLAG).toLowerCase(Locale.ROOT);
        if (!text.isEmpty() && !TRUE.contains(text) && !FALSE.contains(text)) {
            problem(field, field + " must be " + FLAG + ", was '" + text + "'");
        }
        return TRUE.contains(text);
    }

    /** Returns a number of 32 bits without sign; 0 by default. One that begins with a zero is refused: older YAML reads it as octal. */
    long number(String field) {
        String text = text(field, NUMBER);
        boolean octal = text.length() > 1 && text.startsWith("0");
        try {
            long number = text.isEmpty() ? 0 : Long.parseLong(text);
            if (number >= 0 && number <= MAX_UINT32 && !octal) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below, like a number out of range
        }
        String zeros = octal ? " without leading zeros" : "";
        problem(field, field + " must be " + NUMBER + zeros + ", was '" + text + "'");
        return 0;
    }

    /** Returns the mappings in a list; none by default. An element that is none is a problem, and left out. */
    List<YamlMapping> mappings(String field) {
        return nodes(field).stream()
                .flatMap(element -> of(file, element, "an element of " + field).stream())
                .toList();
    }

    private List<Node> nodes(String field) {
        Optional<Node> value = present(field);
        if (value.isPresent() && !(value.get() instanceof SequenceNode)) {
            problem(field, field + " must be a list");
        }
        return value.isPresent() && value.get() instanceof SequenceNode list ? list.getValue() : List.of();
    }

    /** Returns a mapping, if there is one; another value is a problem. */
    Optional<YamlMapping> mapping(String field) {
        return present(field).flatMap(value -> of(file, value, field));
    }

    /**
     * Returns the limits in a field, which the check must accept: the text of one, or a list of texts. Empty if there is a problem with
     * them.
     */
    Optional<Limits> limits(String field, Consumer<Limits> check) {
        Optional<Node> value = present(field);
        if (value.isEmpty()) {
            problem(field, field + (contains(field) ? " must not be empty" : " is missing"));
            return Optional.empty();
        }
        List<Node> texts = value.get() instanceof SequenceNode list ? list.getValue() : List.of(value.get());
        List<Limit> limits = new ArrayList<>();
        for (Node text : texts) {
            String limit = scalar(field, text, "a text or a list of texts");
            if (!(text instanceof ScalarNode)) {
                continue; // reported
            }
            try {
                limits.add(Limit.parse(limit));
            } catch (IllegalArgumentException e) {
                file.problem(text, String.valueOf(e.getMessage()));
            }
        }
        if (limits.size() < texts.size()) {
            return Optional.empty();
        }
        try {
            Limits all = Limits.of(limits);
            check.accept(all);
            return Optional.of(all);
        } catch (IllegalArgumentException e) {
            problem(field, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** Returns whether a field is a mapping. */
    boolean isMapping(String field) {
        return value(field) instanceof MappingNode;
    }

    /** Returns the names of the fields. */
    Set<String> names() {
        return fields.keySet();
    }
}
