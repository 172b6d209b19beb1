package dev.weir.server;

import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads a YAML file into nodes that know their position, and collects what is wrong with them. Not thread-safe. */
final class YamlFile {
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
            problem(
                    e.getProblemMark(),
                    e.getContext() == null ? e.getProblem() : e.getContext() + ", " + e.getProblem());
        } catch (YamlEngineException e) {
            problems.add(new Problem(name, 0, 0, String.valueOf(e.getMessage())));
        } catch (StackOverflowError e) { // the library recurses
            problems.add(new Problem(name, 0, 0, "the file is nested too deeply"));
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
}
