package dev.weir.cli;

import dev.weir.Limit;
import dev.weir.cli.Converters.ToYear;
import dev.weir.cli.terminal.Shell;
import dev.weir.replay.format.ClientChoice;
import dev.weir.replay.format.LogFormat;
import dev.weir.replay.format.LogOptions;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of all commands that try limits on a log: which limits, and how to read the log. */
final class LogArguments {
    private static final List<String> USUAL = List.of("60/1m", "fixed-window 60/1m", "token-bucket 60/1m");

    @Option(
            names = "--limit",
            paramLabel = "TEXT",
            description = "A limit to try; may be given several times. Without it: 60/1m, fixed-window 60/1m and "
                    + "token-bucket 60/1m.")
    private List<Limit> limits = new ArrayList<>();

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "The key that a limit counts for: ip, user or path, or the name of a field. Dots name nested "
                    + "fields of JSON, as in request.remote_ip. Default: ip.")
    private @Nullable String key;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "The format of the log, see below. Default: auto, which detects it.")
    private LogFormat format = LogOptions.DEFAULT.format();

    @Option(
            names = "--client",
            paramLabel = "WHICH",
            description =
                    "The client in a forwarded list such as '203.0.113.9, 10.0.0.1': first, last, or N-from-right, "
                            + "where 1-from-right is the last. Without it, lines with a list are skipped.")
    private @Nullable ClientChoice client;

    @Option(
            names = "--time-field",
            paramLabel = "NAME",
            description =
                    "The field with the time, in formats with named fields. Default: as the format has it, time in "
                            + "csv and jsonl.")
    private @Nullable String timeField;

    @Option(
            names = "--time-format",
            paramLabel = "PATTERN",
            description = "The format of times, such as 'yyyy-MM-dd HH:mm:ss'. Default: as the log's format has them.")
    private @Nullable String timeFormat;

    @Option(
            names = "--year",
            paramLabel = "N",
            converter = ToYear.class,
            description = "The year of the first time, for times without one (Nov 21 10:00:00). Default: the latest "
                    + "in which it is at most a day after the file's modification date.")
    private @Nullable Integer year;

    /** Returns the limits to try. */
    List<Limit> limits() {
        return limits.isEmpty() ? USUAL.stream().map(Limit::parse).toList() : limits;
    }

    /** Returns how many limits the user gave. */
    int givenLimits() {
        return limits.size();
    }

    /** Returns what the keys are. */
    String keys() {
        return format.isRegex() ? "key" : key == null ? LogOptions.DEFAULT.key() : key;
    }

    /**
     * Returns how to read the log. Notes an option that is not used.
     *
     * @throws CommandFailure if the value of an option is wrong
     */
    LogOptions.Builder options(Shell shell) {
        LogOptions.Builder options = LogOptions.builder().format(format);
        Misuse.set("--key", key, options::key);
        Misuse.set("--client", client, options::client);
        Misuse.set("--time-field", timeField, options::timeField);
        Misuse.set("--time-format", timeFormat, options::timeFormat);
        Misuse.set("--year", year, options::year);
        if (key != null && format.isRegex()) {
            shell.note("weir: --key is not used: in a regex the group key is the key\n");
        }
        return options;
    }

    /** Notes that no request of a trace is in the year that the user gave. Reads the trace once if there is a year. */
    void noteUnusedYear(Trace trace, Shell shell) throws IOException {
        if (year == null) {
            return;
        }
        long from = startNanos(year);
        long to = startNanos(year + 1);
        AtomicBoolean used = new AtomicBoolean();
        trace.forEach((timeNanos, key, permits) -> {
            if (timeNanos >= from && timeNanos < to) {
                used.set(true);
            }
        });
        if (!used.get()) {
            shell.note("weir: no request is in " + year + "; --year is only for times without a year\n");
        }
    }

    private static long startNanos(int year) {
        return TimeUnit.DAYS.toNanos(LocalDate.ofYearDay(year, 1).toEpochDay());
    }
}
