package dev.weir.cli;

import dev.weir.cli.Converters.ToMaxKeys;
import dev.weir.cli.terminal.Shell;
import dev.weir.server.config.Token;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir tail}: what limits do to the requests of a log while it is written. */
@Command(
        name = "tail",
        sortOptions = false,
        header = {"Show what limits do to the requests of a log, or of a server, as they come.", ""},
        description = {
            "",
            "Follows a log, also when it is rotated or truncated, and plays each request against each limit, at the times "
                    + "in the log. Shows once a second how many were allowed and denied, and the keys that were denied "
                    + "most. On a terminal it redraws; elsewhere it prints a line a second. Ctrl-C ends it with a summary.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir tail /var/log/nginx/access.log",
            "  weir tail --limit 100/1m --limit \"token-bucket 100/1m\" --key user access.log",
            "  weir tail http://127.0.0.1:8080",
            "  kubectl logs -f deploy/web | weir tail --limit 10/1s -",
            "",
            "Formats and limits are those of 'weir replay --help'.",
            "",
            "Exit codes:",
            "  0  stopped by a signal, or standard input ended",
            "  2  wrong usage, a log that cannot be read, or a server that refuses"
        })
final class TailCommand implements Subcommand {
    private static final Set<String> OF_SERVERS = Set.of("--token-file", "--json");
    private static final Pattern ADDRESS = Pattern.compile("[^/]+:[0-9]+/?"); // without its scheme
    private static final long TIMEOUT_SECONDS = 10;

    private final Shell shell;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private LogArguments log = new LogArguments();

    @Option(
            names = "--max-keys",
            paramLabel = "N",
            converter = ToMaxKeys.class,
            description =
                    "The number of keys whose counts are kept for each limit. While that many are active, new ones "
                            + "are denied. Default: 100000.")
    private int maxKeys = 100_000;

    @Option(names = "--from-start", description = "Also read what the file contains already.")
    private boolean fromStart;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "A file with the token of a server's operators. Without it, only a server on this machine "
                    + "that has none answers.")
    private @Nullable Path tokenFile;

    @Option(names = "--json", description = "Print one JSON object a second, and one at the end.")
    private boolean json;

    @Parameters(
            paramLabel = "FILE",
            description = "The log; - is standard input. Or the address of a Weir server, such as "
                    + "http://127.0.0.1:8080, whose decisions are shown instead.")
    private String file = "";

    TailCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() throws IOException {
        try (TailSource source = ServerEvents.isAddress(file) ? server() : log()) {
            return new Watch(source).run();
        }
    }

    private TailSource server() {
        for (OptionSpec given : spec.commandLine().getParseResult().matchedOptions()) {
            if (!OF_SERVERS.contains(given.longestName())) {
                throw new CommandFailure(given.longestName() + " is for logs; a server shows its own limits");
            }
        }
        return new TailedServer(ServerEvents.connect(file, token(), ServerEvents.LONGEST_SILENCE));
    }

    private @Nullable String token() {
        try {
            return tokenFile == null ? null : Token.read(tokenFile).text();
        } catch (IllegalArgumentException e) {
            throw Misuse.refusal("--token-file", e);
        }
    }

    private TailSource log() {
        if (tokenFile != null) {
            throw new CommandFailure("--token-file is for servers; a log needs none");
        }
        if (ADDRESS.matcher(file).matches() && !new File(file).exists()) {
            throw new CommandFailure(
                    "cannot read " + file + ": there is no such file; the address of a server begins with http://");
        }
        return TailedLog.open(file, fromStart, shell, log.options(shell), log.limits(), maxKeys);
    }

    /** Shows a source once a second until it ends, a signal stops the process, or the thread is interrupted. */
    private final class Watch {
        private final TailSource source;
        private final TailScreen screen = json ? new TailJson(shell) : TailScreen.text(shell);
        private final CountDownLatch ended = new CountDownLatch(1);
        private final CountDownLatch summarized = new CountDownLatch(1);
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final Thread reader = new Thread(this::read, "weir-tail");
        private final Thread stop = new Thread(this::stop, "weir-stop");

        Watch(TailSource source) {
            this.source = source;
        }

        int run() throws IOException {
            screen.begin(source.frame()); // before anything is read, so that all that is read is shown
            reader.setDaemon(true);
            reader.start();
            Runtime.getRuntime().addShutdownHook(stop);
            try {
                while (!ended.await(1, TimeUnit.SECONDS)) {
                    screen.show(source.frame());
                }
                throwFailure();
                screen.end(source.frame());
            } catch (InterruptedException interrupted) {
                screen.end(source.frame());
                Thread.currentThread().interrupt();
            } finally {
                reader.interrupt();
                summarized.countDown();
                removeHook();
            }
            return DONE;
        }

        private void read() {
            try {
                source.read();
            } catch (RuntimeException | Error e) {
                failure.set(e);
            } finally {
                ended.countDown();
            }
        }

        private void throwFailure() {
            Throwable thrown = failure.get();
            if (thrown instanceof RuntimeException e) {
                throw e;
            } else if (thrown instanceof Error e) {
                throw e;
            }
        }

        /** Runs when a signal ends the process: waits for the summary. The number of the signal is not the exit code. */
        private void stop() {
            ended.countDown();
            try {
                if (summarized.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    Runtime.getRuntime().halt(DONE);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void removeHook() {
            try {
                Runtime.getRuntime().removeShutdownHook(stop);
            } catch (IllegalStateException stopping) {
                // The hook runs, and ends the process.
            }
        }
    }
}
