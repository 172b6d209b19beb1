package dev.weir.cli;

import dev.weir.cli.terminal.ProgressBar;
import dev.weir.cli.terminal.Shell;
import dev.weir.replay.generate.LogGenerator;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir generate}: an access log to try things on. */
@Command(
        name = "generate",
        sortOptions = false,
        header = {"Write a made-up access log in the combined format.", ""},
        description = {
            "",
            "The traffic has a daily rhythm, bursts, regular visitors and a few clients with far too many requests. The same "
                    + "options give the same bytes.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir generate --requests 100000 > access.log",
            "  weir generate --requests 5000000 --clients 10000 --seed 7 | gzip > big.log.gz",
            "",
            "Exit codes:",
            "  0  done, also if the reader of a pipe closed it",
            "  2  wrong usage, or the output cannot be written"
        })
final class GenerateCommand implements Subcommand {
    private final Shell shell;

    @Option(
            names = "--requests",
            paramLabel = "N",
            required = true,
            converter = Converters.ToRequests.class,
            description = "The number of lines.")
    private long requests;

    @Option(
            names = "--seed",
            paramLabel = "S",
            converter = Converters.ToSeed.class,
            description = "Another number gives another log. Default: " + LogGenerator.DEFAULT_SEED + ".")
    private long seed = LogGenerator.DEFAULT_SEED;

    @Option(
            names = "--clients",
            paramLabel = "N",
            converter = Converters.ToClients.class,
            description = "The number of client addresses. Default: " + LogGenerator.DEFAULT_CLIENTS + ".")
    private int clients = LogGenerator.DEFAULT_CLIENTS;

    GenerateCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() throws IOException {
        // On a terminal the lines themselves show the progress.
        Shell watched = shell.outIsTerminal() ? shell.withoutProgress() : shell;
        try (ProgressBar bar = new ProgressBar(watched, "writing", requests)) {
            new LogGenerator(requests, seed, clients).writeTo(shell.out(), bar::advanced);
        }
        return DONE;
    }
}
