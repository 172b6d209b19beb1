package dev.weir.cli;

import dev.weir.cli.terminal.Shell;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The tree of commands and what they have in common. */
final class Commands {
    private Commands() {}

    /** Returns the command line, ready to parse. */
    static CommandLine line(Shell shell) {
        CommandLine line = new CommandLine(new Root())
                .addSubcommand(new ServeCommand(shell))
                .addSubcommand(new ReplayCommand(shell))
                .addSubcommand(new TailCommand(shell))
                .addSubcommand(new VerifyCommand(shell))
                .addSubcommand(new GenerateCommand(shell))
                .addSubcommand(new HelpCommand(shell));
        Converters.register(line);
        return line.setExpandAtFiles(false);
    }

    /** Returns the version in the jar's manifest. */
    static String version() {
        return Objects.requireNonNullElse(
                Commands.class.getPackage().getImplementationVersion(), "(built without a jar)");
    }

    /** The bare {@code weir}. */
    @Command(
            name = "weir",
            sortOptions = false,
            synopsisSubcommandLabel = "COMMAND",
            header = {"An exact rate limiter, and what it would have done to your traffic.", ""},
            description = {"", "See 'weir COMMAND --help' or 'weir help COMMAND' for the options of a command."},
            optionListHeading = "%nOptions:%n",
            commandListHeading = "%nCommands:%n",
            footerHeading = "%nExamples:%n",
            footer = {
                "  weir serve",
                "  weir replay access.log",
                "  weir replay --limit 100/1m --limit \"token-bucket 100/1m burst=20\" access.log",
                "  weir tail access.log",
                "  weir generate --requests 100000 | weir replay -",
                "",
                "Environment:",
                "  NO_COLOR    if set, nothing is coloured",
                "  WEIR_DEBUG  if set, a fault in weir itself shows its stack trace"
            })
    @SuppressWarnings("UnusedVariable") // the parser itself is asked whether these were given
    static final class Root {
        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                scope = ScopeType.INHERIT,
                description = "Show this help.")
        private boolean help;

        @Option(
                names = {"-V", "--version"},
                versionHelp = true,
                description = "Show the version.")
        private boolean version;
    }
}
