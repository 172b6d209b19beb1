package dev.weir.cli;

import dev.weir.Limit;
import dev.weir.cli.terminal.Cell;
import dev.weir.cli.terminal.Look;
import dev.weir.cli.terminal.ProgressBar;
import dev.weir.cli.terminal.Shell;
import dev.weir.cli.terminal.Stdout;
import dev.weir.cli.terminal.Text;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import dev.weir.testkit.Verdict;
import dev.weir.testkit.Verdict.Violation;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir verify}: whether what a limiter did keeps a limit. */
@Command(
        name = "verify",
        sortOptions = false,
        header = {"Check that the decisions of a limiter keep a limit.", ""},
        description = {
            "",
            "Reads a trace, sorts the admitted requests and slides the limit's window over them. The check shares no code "
                    + "with the limiters. Its bound is that of the limit's own algorithm.",
            ""
        },
        footerHeading = "%nThe trace:%n",
        footer = {
            "  time_nanos,key,permits,allowed    this line may be left out",
            "  1000000000,alice,1,1              1 or true: admitted",
            "  1500000000,alice,1,0              0 or false: denied",
            "  1000000000,alice,1,-1             -1: permits of that time are refunded",
            "",
            "The bound, with N permits in a window W:",
            "  sliding-log       N in any W",
            "  sliding-window    N in any W; classic: N in W less a bucket, 2N in W",
            "  fixed-window      N from each start to its end; align=first: wherever they start",
            "  token-bucket      burst, and what is earned, in any span",
            "  gcra              burst, and what is earned, in any span",
            "  leaky-bucket      N in any W, and the largest weight less 1; the largest weight,",
            "                    and what drains, in any span",
            "",
            "Examples:",
            "  weir verify --limit 5/10s trace.csv",
            "  weir verify --limit \"token-bucket 100/1m burst=20\" - < trace.csv",
            "",
            "Exit codes:",
            "  0  the limit holds",
            "  1  the limit is broken; the answer shows where",
            "  2  wrong usage, or a trace that cannot be read"
        })
final class VerifyCommand implements Subcommand {
    private final Shell shell;

    @Option(
            names = "--limit",
            paramLabel = "TEXT",
            required = true,
            description = "The limit, such as 100/1m or \"fixed-window 100/1m\".")
    private @Nullable Limit limit;

    @Parameters(paramLabel = "TRACE.csv", description = "The trace in any order; - is standard input.")
    private String file = "";

    VerifyCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() throws IOException {
        Limit promised = Objects.requireNonNull(limit, "picocli refuses to go on without it");
        List<TraceEvent> events = read();
        Verdict verdict = check(promised, events);
        Violation violation = verdict.violation();
        try {
            shell.answer(violation == null ? holds(promised, verdict) : broken(promised, violation));
        } catch (Stdout.Failure failure) {
            if (!failure.isClosedPipe()) {
                throw failure;
            } // the exit code is an answer, too
        }
        return violation == null ? DONE : NO;
    }

    private List<TraceEvent> read() {
        try (InputFile input = InputFile.open(file, shell);
                ProgressBar bar = new ProgressBar(shell, "reading", input.size())) {
            return TraceFile.read(input, bar::advanced);
        } catch (IOException e) {
            throw InputFile.unreadable(InputFile.nameOf(file), e);
        }
    }

    private Verdict check(Limit promised, List<TraceEvent> events) {
        try {
            return TraceChecker.check(promised, events);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(InputFile.nameOf(file) + ": " + e.getMessage());
        }
    }

    private String holds(Limit promised, Verdict verdict) {
        return line(
                Cell.of(Look.GREEN, "holds"),
                promised + ", in " + Text.count(verdict.events(), "event") + " of "
                        + Text.count(verdict.keys(), "key"));
    }

    private String broken(Limit promised, Violation violation) {
        return line(
                Cell.of(Look.RED, "broken"),
                promised + ", by key " + Text.visible(violation.key()) + ": "
                        + (violation.permits() == Long.MAX_VALUE ? "more than " : "")
                        + Text.count(violation.permits(), "permit")
                        + " from " + violation.fromNanos() + " to " + violation.toNanos() + " ns, at most "
                        + Text.number(violation.bound()) + " allowed (" + violation.rule() + ")");
    }

    private String line(Cell verdict, String rest) {
        return verdict.then(Cell.of(": " + rest + "\n")).paint(shell.page());
    }
}
