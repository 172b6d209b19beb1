package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.io.TempDir;

/** Random command lines keep the contract of exit codes and streams. The seed is the repetition. */
final class ArgumentsFuzzTest {
    private static final List<String> WORDS = List.of(
            "replay",
            "verify",
            "generate",
            "help",
            "-h",
            "--help",
            "-V",
            "--version",
            "--limit",
            "--key",
            "--format",
            "--time-format",
            "--order",
            "--time-field",
            "--year",
            "2026",
            "--client",
            "last",
            "2-from-right",
            "--skip-unreadable",
            "--json",
            "--requests",
            "--seed",
            "--clients",
            "--",
            "-",
            "--limit=5/10s",
            "5/10s",
            "fixed-window 5/10s",
            "leaky-bucket 1/1s capacity=3",
            "gcra",
            "1/0s",
            "0/1s",
            "ip",
            "user",
            "path",
            "auto",
            "csv",
            "jsonl",
            "caddy",
            "alb",
            "iis",
            "combined",
            "regex:(?<time>.*) (?<key>.*)",
            "regex:[",
            "time",
            "file",
            "yyyy",
            "12",
            "-1",
            "0",
            "9223372036854775808",
            "",
            " ",
            "\n",
            "\0",
            "@args",
            "${sys:user.home}",
            "ä😀",
            "\ud800",
            "--=",
            "--json=true",
            "-hV",
            "-x",
            "--no-json",
            "'",
            "\"",
            "%s%n",
            "--limit=",
            "/",
            "nowhere.log");

    @TempDir
    private Path directory;

    @RepeatedTest(10)
    void run_anyArguments_keepsTheContract(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        String log = Logs.file(directory, Logs.COMBINED);
        String trace = Logs.file(directory, "0,a,1,1\n1,a,1,1\n");
        for (int i = 0; i < 30; i++) {
            String[] args = args(random, log, trace);
            Run run = new Run.Setup()
                    .stdin(random.nextBoolean() ? Logs.COMBINED : "")
                    .weir(args);
            check(run, String.join("|", args));
        }
    }

    private static String[] args(Random random, String log, String trace) {
        List<String> args = new ArrayList<>();
        if (random.nextInt(4) > 0) {
            args.add(WORDS.get(random.nextInt(3)));
        }
        for (int n = random.nextInt(6); n > 0; n--) {
            int word = random.nextInt(WORDS.size() + 20);
            args.add(word < WORDS.size() ? WORDS.get(word) : word % 2 == 0 ? log : trace);
        }
        return args.toArray(String[]::new);
    }

    private static void check(Run run, String args) {
        if (run.code() == 2) {
            assertThat(run.out()).as(args).isEmpty();
            assertThat(run.err()).as(args).startsWith("weir: ").endsWith("\n").containsOnlyOnce("\n");
            assertThat(run.err()).as(args).doesNotContain("should not have happened", "Exception", "null");
        } else {
            assertThat(run.out()).as(args).isNotEmpty().endsWith("\n");
            assertThat(run.err().isEmpty() || run.err().startsWith("weir: skipped "))
                    .as(args)
                    .isTrue();
            assertThat(run.code() == 0 || run.out().startsWith("broken: "))
                    .as(args)
                    .isTrue();
        }
    }
}
