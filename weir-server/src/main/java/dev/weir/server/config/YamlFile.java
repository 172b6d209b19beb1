package dev.weir.server.config;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.ComposerException;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads a YAML file into nodes that know their position, and collects what is wrong with them. Not thread-safe. */
final class YamlFile {
    private static final int MAX_ALIASES =
            1_000; // of mappings and lists, each of which is read as often as it is named
    private static final int MAX_MERGED =
            1_000_000; // fields, each of which takes memory in every mapping that merges it

    private static final Pattern NEEDS_QUOTES =
            Pattern.compile("scanning an a|undefined alias|'[@%`]' that cannot start");

    private final String name;
    private final Set<Problem> problems;

    /** A composer that bounds what mappings merge, and does not let them merge themselves, which would never end. */
    private static final class FiniteComposer extends Composer {
        private int merged;

        FiniteComposer(LoadSettings settings, String text) {
            super(settings, new ParserImpl(settings, new StreamReader(settings, text)));
        }

        @Override
        protected MappingNode asMappingNode(Node node) {
            if (node.isRecursive()) {
                throw new ComposerException("a mapping must not merge itself", node.getStartMark());
            }
            MappingNode mapping = super.asMappingNode(node);
            merged += mapping.getValue().size();
            if (merged > MAX_MERGED) {
                throw new ComposerException("mappings merge more than " + MAX_MERGED + " fields", node.getStartMark());
            }
            return mapping;
        }
    }

    YamlFile(String name, Set<Problem> problems) {
        this.name = name;
        this.problems = problems;
    }

    /** Reads the only document of a text; empty if there is none or it is not YAML, which is then a problem. */
    Optional<Node> read(String text) {
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setLabel(name)
                    .setSchema(new CoreSchema())
                    .setMaxAliasesForCollections(MAX_ALIASES)
                    .setAllowNonScalarKeys(true) // which are reported with their place
                    .build();
            Composer documents = new FiniteComposer(settings, text);
            if (!documents.hasNext()) {
                problems.add(new Problem(name, 0, 0, "the file is empty"));
                return Optional.empty();
            }
            Node first = documents.next();
            while (documents.hasNext()) {
                Node further = documents.next();
                if (!Tag.NULL.equals(further.getTag())) { // as behind a last line with three hyphens
                    problem(further, "a file has one document; give each domain a file of its own");
                    return Optional.empty();
                }
            }
            return Optional.of(first);
        } catch (MarkedYamlEngineException e) {
            boolean hasContext = e.getContext() != null && !e.getContext().isEmpty();
            String message = hasContext ? e.getContext() + ", " + e.getProblem() : e.getProblem();
            String hint =
                    NEEDS_QUOTES.matcher(message).find() ? "; a text that begins with * & @ % or ` needs quotes" : "";
            problem(e.getProblemMark(), message + hint);
        } catch (ReaderException e) {
            String before = text.substring(0, text.offsetByCodePoints(0, e.getPosition()));
            int line = (int) before.lines().count() + (before.isEmpty() || before.endsWith("\n") ? 1 : 0);
            int column = before.length() - before.lastIndexOf('\n');
            problems.add(new Problem(name, line, column, "U+%04X is not allowed".formatted(e.getCodePoint())));
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
