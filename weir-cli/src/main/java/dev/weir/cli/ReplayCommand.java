package dev.weir.cli;

import dev.weir.Limit;
import dev.weir.cli.terminal.ProgressBar;
import dev.weir.cli.terminal.Shell;
import dev.weir.cli.terminal.Text;
import dev.weir.replay.Recording;
import dev.weir.replay.Replay;
import dev.weir.replay.format.LogOptions;
import dev.weir.replay.format.LogOptions.Order;
import dev.weir.replay.format.LogReader;
import dev.weir.replay.report.Report;
import dev.weir.replay.trace.SkippedLine;
import dev.weir.replay.trace.Trace;
import dev.weir.store.StoreException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir replay}: what limits would have done to the requests of a log. */
@Command(
        name = "replay",
        sortOptions = false,
        header = {"Show what limits would have done to the requests of a log.", ""},
        description = {
            "",
            "Reads a log and plays its requests against each limit, at the times in the log. Shows how many would have "
                    + "been allowed and denied, the most permits that one key was granted in any window of the "
                    + "limit's length, and the keys that were denied most.",
            ""
        },
        footerHeading = "%nFormats:%n",
        footer = {
            "  combined     Apache, nginx: client ident user [time] \"request\" status size",
            "  csv, jsonl   with a field 'time' (--time-field) and one for the key (--key)",
            "  alb          AWS Application Load Balancer",
            "  cloudfront   AWS CloudFront standard logs, W3C or JSON",
            "  elb          AWS Classic Load Balancer",
            "  s3           Amazon S3 server access log",
            "  caddy        Caddy, JSON",
            "  traefik      Traefik, common format or JSON",
            "  envoy        Envoy, default format",
            "  istio        Istio, default text format",
            "  haproxy      HAProxy, option httplog",
            "  squid        Squid, native access.log",
            "  iis          Microsoft IIS, W3C",
            "  regex:PATTERN with the groups time and key (and permits)",
            "",
            "Limits:",
            "  100/1m                           exact: never more than 100 in any minute",
            "  sliding-log 100/1m               the same, in full; [resolution=1ms]",
            "                                   [count=admitted|attempts] [margin=0ms]",
            "  sliding-window 100/1m            [buckets=60] [estimate=conservative|classic]",
            "  fixed-window 100/1m              [align=clock|first]",
            "  token-bucket 100/1m              [burst=100]",
            "  leaky-bucket 100/1m              [capacity=100]",
            "  gcra 100/1m                      [burst=1]",
            "",
            "Examples:",
            "  weir replay access.log",
            "  weir replay --limit 5/10s --limit \"fixed-window 5/10s\" access.log.gz",
            "  gzip -cdf access.log* | weir replay -",
            "  weir replay --key user --limit 1000/1h --json access.log",
            "  weir replay --limit 60/1m --report report.html access.log",
            "  weir replay --limit 60/1m --limit \"gcra 60/1m burst=20\" --compare access.log",
            "  weir replay --format jsonl --key request.ip --time-field ts app.log",
            "  weir replay --format 'regex:(?<time>\\S+) (?<key>\\S+)' - < my.log",
            "",
            "Exit codes:",
            "  0  done, whether or not requests were denied",
            "  2  wrong usage, a mostly unreadable log, or a Redis that does not answer"
        })
final class ReplayCommand implements Subcommand {
    private final Shell shell;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private LogArguments log = new LogArguments();

    @Option(
            names = "--skip-unreadable",
            description = "Replay what can be read, even if more than half of the lines cannot.")
    private boolean skipUnreadable;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            description = "time: sorted by time; file: in the order of the lines. Default: time.")
    private Order order = LogOptions.DEFAULT.order();

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description = "Keep the counts on Redis, as redis://host:6379, rediss://, redis-sentinel:// or "
                    + "redis-cluster://, and delete them at the end. Default: in memory.")
    private @Nullable OnRedis redis;

    @Option(names = "--json", description = "Print one JSON object instead of a table.")
    private boolean json;

    @Option(
            names = "--compare",
            description =
                    "Also list the requests that one of two limits allows and the other denies: the first of them, "
                            + "or with --json all.")
    private boolean compare;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "Also write a report: a page (.html) or a picture (.svg, .png) that shows which limit to choose. The "
                            + "first limit is the one that it is about.")
    private @Nullable ReportFile report;

    @Parameters(paramLabel = "FILE", description = "The log, which may be gzipped; - is standard input.")
    private String file = "";

    ReplayCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() throws IOException {
        LogOptions.Builder options = log.options(shell).order(order).skipUnreadable(skipUnreadable);
        if (compare && log.givenLimits() != 2) {
            throw new CommandFailure("--compare needs two --limit, was " + log.givenLimits());
        }
        List<Limit> tried = log.limits();
        if (report != null) {
            report.requireOtherThan(file);
            ReportFile.requireLimits(tried);
        }
        try (Trace trace = read(options)) {
            noteSkipped(trace);
            log.noteUnusedYear(trace, shell);
            Recording recording = replay(trace, tried);
            try {
                answer(trace, recording);
            } finally { // neither of the two is lost if the other cannot be written
                if (report != null) {
                    report.write(trace, recording, source(), shell);
                }
            }
        }
        return DONE;
    }

    private void answer(Trace trace, Recording recording) throws IOException {
        if (json) {
            ReplayJson.write(trace, recording, compare, shell.out());
            return;
        }
        shell.answer(ReplayTable.text(trace, recording.results(), shell.page()));
        if (compare) {
            shell.answer(DifferenceTable.text(trace, recording, shell.page()));
        }
    }

    private Trace read(LogOptions.Builder options) throws IOException {
        try (InputFile input = InputFile.open(file, shell);
                ProgressBar bar = new ProgressBar(shell, "reading", input.size())) {
            Instant written = input.written();
            if (written != null) {
                options.written(written);
            }
            try {
                return LogReader.read(input.stream(), options.build(), bar::advanced);
            } catch (IOException e) {
                throw InputFile.unreadable(input.name(), e);
            }
        }
    }

    private Recording replay(Trace trace, List<Limit> tried) throws IOException {
        try (ProgressBar bar = new ProgressBar(shell, "replaying", trace.requests() * tried.size())) {
            return redis == null ? Replay.record(trace, tried, bar::advanced) : replayOn(redis, trace, tried, bar);
        }
    }

    private static Recording replayOn(OnRedis server, Trace trace, List<Limit> tried, ProgressBar bar)
            throws IOException {
        try {
            return Replay.record(trace, tried, server, bar::advanced);
        } catch (StoreException failure) {
            throw new CommandFailure(String.valueOf(failure.getMessage()));
        } catch (IllegalArgumentException e) { // a limit that Redis cannot count with
            throw Misuse.refusal("--limit", e);
        }
    }

    private Report.Source source() {
        List<String> words = spec.commandLine().getParseResult().originalArgs();
        return new Report.Source(InputFile.nameOf(file), log.keys(), CommandText.of(words));
    }

    private void noteSkipped(Trace trace) {
        if (trace.skipped() == 0) {
            return;
        }
        StringBuilder note = new StringBuilder("weir: skipped " + Text.count(trace.skipped(), "line"));
        note.append(trace.skipped() > trace.firstSkipped().size() ? ", the first of them:\n" : ":\n");
        for (SkippedLine line : trace.firstSkipped()) {
            note.append("  line " + line.number() + ": " + line.reason() + ": " + line.excerpt() + "\n");
        }
        note.append(trace.hint() == null ? "" : "  " + trace.hint() + "\n");
        shell.note(note.toString());
    }
}
