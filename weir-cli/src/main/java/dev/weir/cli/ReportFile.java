package dev.weir.cli;

import dev.weir.Limit;
import dev.weir.cli.terminal.ProgressBar;
import dev.weir.cli.terminal.Shell;
import dev.weir.replay.Recording;
import dev.weir.replay.report.Report;
import dev.weir.replay.trace.Trace;
import dev.weir.server.config.Texts;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The file that a report is written to. Its name decides what is written. */
final class ReportFile {
    private static final int PERCENT = 100;

    private final Path path;
    private final Function<Report, byte[]> form;

    private ReportFile(Path path, Function<Report, byte[]> form) {
        this.path = path;
        this.form = form;
    }

    /**
     * Returns a file by its name.
     *
     * @throws IllegalArgumentException if the name does not end with .html, .svg or .png, or no file can be written there
     */
    static ReportFile named(String name) {
        Function<Report, byte[]> form = form(name.toLowerCase(Locale.ROOT));
        Path path = InputFile.path(name);
        Path directory = path.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new IllegalArgumentException("report must be in a directory that exists, was '" + name + "'");
        }
        return new ReportFile(path, form);
    }

    private static Function<Report, byte[]> form(String name) {
        if (name.endsWith(".html")) {
            return report -> report.html().getBytes(StandardCharsets.UTF_8);
        } else if (name.endsWith(".svg")) {
            return report -> report.svg().getBytes(StandardCharsets.UTF_8);
        } else if (name.endsWith(".png")) {
            System.setProperty("java.awt.headless", "true"); // a display, if there is one, is not needed
            return Report::png;
        }
        throw new IllegalArgumentException(
                "report must be a file name that ends with .html, .svg or .png, was '" + name + "'");
    }

    /**
     * Refuses to replace the log by its report.
     *
     * @throws CommandFailure if the file is the log
     */
    void requireOtherThan(String log) throws IOException {
        boolean both = !log.equals("-") && new File(log).exists() && Files.exists(path);
        if (both && Files.isSameFile(path, Path.of(log))) {
            throw new CommandFailure("--report would replace the log, " + path);
        }
    }

    /**
     * Refuses limits that no report can show.
     *
     * @throws CommandFailure if there are too many of them, or none that denies anything
     */
    static void requireLimits(List<Limit> limits) {
        try {
            Report.requireLimits(limits);
        } catch (IllegalArgumentException e) {
            throw Misuse.refusal("--report", e);
        }
    }

    /**
     * Writes the report.
     *
     * @throws CommandFailure if the file cannot be written
     */
    void write(Trace trace, Recording recording, Report.Source source, Shell shell) throws IOException {
        Report report = analyse(trace, recording, source, shell);
        try {
            Files.write(path, form.apply(report));
        } catch (UnsupportedOperationException e) {
            throw new CommandFailure("cannot draw " + path + ": " + e.getMessage()
                    + "; install fontconfig and a font, or name an .svg file");
        } catch (IOException e) {
            throw new CommandFailure("cannot write " + path + ": " + Texts.reason(e));
        }
    }

    private static Report analyse(Trace trace, Recording recording, Report.Source source, Shell shell)
            throws IOException {
        try (ProgressBar bar = new ProgressBar(shell, "analysing", PERCENT)) {
            return Report.of(trace, recording, source, bar::advanced);
        }
    }
}
