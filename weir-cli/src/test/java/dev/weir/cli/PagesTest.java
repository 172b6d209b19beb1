package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.docs.Pages;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command on the pages runs, and the answers shown are its answers. */
final class PagesTest {
    private static final String COMMAND = "./weir ";
    private static final String PROMPT = "$ ";
    private static final String CUT = "...";
    private static final int MOST_REQUESTS = 100_000; // enough to see that the command runs
    private static final Path EXAMPLE = Pages.ROOT.resolve("examples/access.log");
    private static final Pattern SPAN = Pattern.compile("`(\\./weir \\w+ [^`]+)`");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("commands")
    void command_onPage_runs(String command) {
        assertThat(run(command).answer()).isNotEmpty();
    }

    static List<String> commands() {
        Stream<String> lines = Stream.of("sh", "console")
                .flatMap(language -> Pages.blocks(language).stream())
                .flatMap(block -> block.lines().stream())
                .map(line -> line.startsWith(PROMPT) ? line.substring(PROMPT.length()) : line)
                .filter(line -> line.startsWith(COMMAND));
        Stream<String> spans = Pages.all().stream()
                .flatMap(page -> Pages.lines(page).stream())
                .flatMap(line -> SPAN.matcher(line).results())
                .map(span -> span.group(1));
        return Stream.concat(lines, spans).distinct().toList();
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void answer_onPage_isTheCommands(List<String> session) {
        String answer = run(session.get(0).substring(PROMPT.length())).answer();
        List<String> shown = session.subList(1, session.size());
        boolean cut = shown.get(shown.size() - 1).equals(CUT);

        assertThat(shown.subList(0, cut ? shown.size() - 1 : shown.size()))
                .isEqualTo(answer.lines()
                        .limit(cut ? shown.size() - 1 : Long.MAX_VALUE)
                        .toList());
    }

    static List<List<String>> sessions() {
        return Pages.blocks("console").stream().map(Pages.Block::lines).toList();
    }

    @Test
    void example_isWhatItsCommandMakes() throws IOException {
        List<String> makers = commands().stream()
                .filter(command -> command.endsWith("> examples/access.log"))
                .toList();

        assertThat(makers).hasSize(1);
        byte[] made = run(makers.get(0)).outBytes();
        assertThat(made).hasSizeLessThan(500_000);
        assertThat(Arrays.equals(made, Files.readAllBytes(EXAMPLE)))
                .as("%s is what this makes: %s", EXAMPLE, makers.get(0))
                .isTrue();
    }

    private Run run(String command) {
        List<String> args = words(command.substring(COMMAND.length()).replaceFirst(" > \\S+$", ""));
        int report = args.indexOf("--report") + 1;
        if (report > 0) {
            args.set(report, directory.resolve(args.get(report)).toString());
        }
        int requests = args.indexOf("--requests") + 1;
        if (requests > 0) {
            args.set(requests, Integer.toString(Math.min(MOST_REQUESTS, Integer.parseInt(args.get(requests)))));
        }
        int last = args.size() - 1;
        if (args.get(0).equals("serve")) {
            return Run.weir(checked(args).toArray(String[]::new));
        } else if (args.get(0).equals("tail")) { // of a file, it would not end
            args.set(last, "-");
            return new Run.Setup().stdin(example()).weir(args.toArray(String[]::new));
        } else if (args.get(last).endsWith(".csv")) {
            args.set(last, Logs.file(directory, "time_nanos,key,permits,allowed\n0,k,1,1\n"));
        } else if (args.get(0).equals("replay") && !args.get(last).startsWith("-")) {
            args.set(last, EXAMPLE.toString());
        }
        return Run.weir(args.toArray(String[]::new));
    }

    private static InputStream example() {
        try {
            return new ByteArrayInputStream(Files.readAllBytes(EXAMPLE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server that only checks its options and a configuration that there is. */
    private List<String> checked(List<String> args) {
        List<String> checked = new ArrayList<>(args);
        int config = checked.indexOf("--config");
        if (config >= 0) {
            checked.set(config + 1, Logs.file(directory, "policies: {api: 5/1m}\n"));
        }
        if (!checked.contains("--check")) {
            checked.add("--check");
        }
        return checked;
    }

    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(command);
        while (matcher.find()) {
            String quoted = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
            words.add(quoted != null ? quoted : matcher.group(3));
        }
        return words;
    }
}
