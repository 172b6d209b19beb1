package dev.weir.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads a YAML file into nodes that know their position, and collects what is wrong with them. Not thread-safe. */
final class YamlFile {
    private static final String MERGE = "<<";

    private final String name;
    private final List<Problem> problems;

    YamlFile(String name, List<Problem> problems) {
        this.name = name;
        this.problems = problems;
    }

    /** Reads the only document of a text; empty if there is none or it is not YAML, which is then a problem. */
    Optional<Node> read(String text) {
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setLabel(name)
                    .setSchema(new CoreSchema())
                    .build();
            Optional<Node> node =
                    new Composer(settings, new ParserImpl(settings, new StreamReader(settings, text))).getSingleNode();
            if (node.isEmpty()) {
                problems.add(new Problem(name, 0, 0, "the file is empty"));
            }
            return node;
        } catch (MarkedYamlEngineException e) {
            problem(e.getProblemMark(), e.getProblem());
        } catch (YamlEngineException e) {
            problems.add(new Problem(name, 0, 0, String.valueOf(e.getMessage())));
        }
        return Optional.empty();
    }

    /** Adds a problem with a node. */
    void problem(Node node, String message) {
        problem(node.getStartMark(), message);
    }

    private void problem(Optional<Mark> mark, String message) {
        int line = mark.map(Mark::getLine).orElse(-1) + 1;
        int column = mark.map(Mark::getColumn).orElse(-1) + 1;
        problems.add(new Problem(name, line, column, message.replaceAll("\\p{Cntrl}+", " ")));
    }

    /** Reads a node as a mapping; one without entries if it is none, which is then a problem. */
    YamlMapping mapping(Node node, String what) {
        Map<String, Node> fields = new LinkedHashMap<>();
        if (node instanceof MappingNode mapping) {
            read(mapping, fields, 0);
        } else {
            problem(node, what + " must be a mapping");
        }
        return new YamlMapping(this, node, fields);
    }

    /** Merged mappings do not replace the fields of the mapping itself. */
    private void read(MappingNode mapping, Map<String, Node> fields, int depth) {
        for (NodeTuple entry : mapping.getValue()) {
            String key = key(entry.getKeyNode());
            if (key == null) {
                problem(entry.getKeyNode(), "a key must be a text");
            } else if (!key.equals(MERGE) && fields.put(key, entry.getValueNode()) != null && depth == 0) {
                problem(entry.getKeyNode(), "duplicate key '" + key + "'");
            }
        }
        for (NodeTuple entry : mapping.getValue()) {
            if (MERGE.equals(key(entry.getKeyNode()))) {
                merge(entry.getValueNode(), fields, depth);
            }
        }
    }

    private void merge(Node merged, Map<String, Node> fields, int depth) {
        if (merged instanceof MappingNode mapping && depth < YamlMapping.MAX_DEPTH) {
            Map<String, Node> others = new LinkedHashMap<>();
            read(mapping, others, depth + 1);
            others.forEach(fields::putIfAbsent);
        } else {
            problem(merged, MERGE + " must be followed by a mapping");
        }
    }

    private static @Nullable String key(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue() : null;
    }
}
