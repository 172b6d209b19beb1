package dev.weir.cli;

import dev.weir.cli.terminal.Page;
import dev.weir.cli.terminal.Shell;
import dev.weir.internal.Spelling;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir help}: the same as {@code --help}, for those who expect a command. */
@Command(
        name = "help",
        header = {"Show the help of a command.", ""},
        footerHeading = "%nExamples:%n",
        footer = {"  weir help replay", "", "Exit codes:", "  0  done", "  2  wrong usage"})
final class HelpCommand implements Subcommand {
    private static final int WIDEST_HELP = 100;
    private static final int NARROWEST_HELP = 60;

    private final Shell shell;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "COMMAND", arity = "0..1", description = "The command. Default: weir itself.")
    private @Nullable String command;

    HelpCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() throws IOException {
        CommandLine all = spec.parent().commandLine();
        CommandLine chosen = command == null ? all : all.getSubcommands().get(command);
        if (chosen == null) {
            List<String> known = new ArrayList<>(all.getSubcommands().keySet());
            throw new CommandFailure("unknown command '" + command + "'"
                    + Spelling.suggestion(String.valueOf(command), known) + "; see 'weir --help'");
        }
        shell.answer(help(chosen, shell));
        return DONE;
    }

    /** Returns the help of a command as it is shown in this shell. */
    static String help(CommandLine command, Shell shell) {
        Page page = shell.page();
        int width = Math.max(NARROWEST_HELP, Math.min(WIDEST_HELP, page.columns()));
        Ansi ansi = page.colours() ? Ansi.ON : Ansi.OFF;
        return command.setUsageHelpWidth(width).getUsageMessage(ansi);
    }
}
