package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Bounds on the scripts: short functions with few conditions, and few lines altogether. The complexity of a function is 1, and 1 more
 * for each {@code if}, {@code elseif}, loop, {@code and} and {@code or} in it, as luacheck counts.
 */
final class ReadableScriptsTest {
    private static final int MAX_COMPLEXITY = 14;
    private static final int MAX_FUNCTION_LINES = 39;
    private static final int MAX_LINES = 1_889;
    private static final Path SCRIPTS = Path.of("src/main/resources/dev/weir/redis");
    private static final Pattern WORDS =
            Pattern.compile("\\b(function|if|elseif|for|while|do|repeat|until|end|and|or)\\b");

    /** A function: the line at which it starts, the line at which it ends and its complexity. */
    private record Function(int from, int to, int complexity) {}

    /** A block that has not ended. */
    private static final class Block {
        private final String word;
        private final int from;
        private int complexity = 1; // of a function

        Block(String word, int from) {
            this.word = word;
            this.from = from;
        }
    }

    @Test
    void functions_ofAllScripts_areShortAndHaveFewConditions() throws IOException {
        List<String> tooLarge = new ArrayList<>();
        int seen = 0;
        for (Path script : scripts()) {
            for (Function each : functions(Files.readAllLines(script))) {
                seen++;
                if (each.complexity > MAX_COMPLEXITY || each.to - each.from >= MAX_FUNCTION_LINES) {
                    tooLarge.add(script.getFileName() + " " + each);
                }
            }
        }

        assertThat(seen).isGreaterThan(100);
        assertThat(tooLarge).isEmpty();
    }

    @Test
    void lines_ofAllScripts_areFew() throws IOException {
        long lines = 0;
        for (Path script : scripts()) {
            lines += Files.readAllLines(script).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("--"))
                    .count();
        }

        assertThat(lines).isBetween(1_000L, (long) MAX_LINES);
    }

    @Test
    void functions_nestedInOthers_areCountedSeparately() {
        List<String> script = List.of(
                "local function outer(a) -- if this and that",
                "  while a or 'if and or' do",
                "    a = inner(function(b)",
                "      if b then return 1 elseif a and b then return 2 else return 3 end",
                "    end)",
                "  end",
                "  for i = 1, 2 do print(i) end",
                "  repeat a = a and a - 1 until a == 0",
                "end");

        assertThat(functions(script)).containsExactly(new Function(3, 5, 4), new Function(1, 9, 6));
    }

    private static List<Path> scripts() throws IOException {
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            return files.filter(file -> file.toString().endsWith(".lua"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Function> functions(List<String> lines) {
        List<Function> functions = new ArrayList<>();
        Deque<Block> open = new ArrayDeque<>();
        int loops = 0; // whose `do` follows
        for (int n = 1; n <= lines.size(); n++) {
            String code = lines.get(n - 1).replaceAll("'[^']*'", "''").replaceAll("--.*", "");
            Matcher words = WORDS.matcher(code);
            while (words.find()) {
                String word = words.group();
                boolean ends = word.equals("end") || word.equals("until");
                if (ends && open.peek().word.equals("function")) {
                    functions.add(new Function(open.peek().from, n, open.peek().complexity));
                }
                if (ends) {
                    open.pop();
                } else if (word.equals("do") && loops > 0) {
                    loops--;
                } else if (!word.matches("and|or|elseif")) {
                    open.push(new Block(word, n));
                }
                if (word.matches("for|while")) {
                    loops++;
                }
                if (word.matches("if|elseif|for|while|repeat|and|or")) {
                    open.stream()
                            .filter(block -> block.word.equals("function"))
                            .findFirst()
                            .ifPresent(block -> block.complexity++);
                }
            }
        }
        return functions;
    }
}
