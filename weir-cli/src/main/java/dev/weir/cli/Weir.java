package dev.weir.cli;

import dev.weir.cli.terminal.Probe;
import dev.weir.cli.terminal.Shell;
import dev.weir.cli.terminal.Stdout;
import dev.weir.cli.terminal.Text;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program: finds the command that was asked for, and turns all that may go wrong into one line and an exit code. */
public final class Weir {
    private final Shell shell;

    private Weir(Shell shell) {
        this.shell = shell;
    }

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(run(Probe.system(), args));
    }

    /** Runs the command and returns its exit code. */
    static int run(Shell shell, String... args) {
        return new Weir(shell).run(args);
    }

    private int run(String[] args) {
        try {
            return answer(args);
        } catch (CommandFailure failure) {
            return failed(String.valueOf(failure.getMessage()));
        } catch (Stdout.Failure failure) {
            return failure.isClosedPipe()
                    ? Subcommand.DONE
                    : failed("cannot write the answer: " + failure.getMessage());
        } catch (OutOfMemoryError e) {
            return failed("out of memory; give Java more, for example with JAVA_TOOL_OPTIONS=-Xmx8g");
        } catch (IOException | RuntimeException | Error fault) {
            return bug(fault);
        }
    }

    private int answer(String[] args) throws IOException {
        CommandLine line = Commands.line(shell);
        CommandLine asked = parse(line, args);
        if (line.isVersionHelpRequested()) {
            shell.answer("weir " + Commands.version() + "\n");
            return Subcommand.DONE;
        } else if (line.isUsageHelpRequested()
                || asked.isUsageHelpRequested()
                || !(asked.getCommand() instanceof Subcommand command)) {
            shell.answer(HelpCommand.help(asked, shell));
            return Subcommand.DONE;
        } else {
            return command.run();
        }
    }

    /** The command that was asked for, its fields set. */
    private static CommandLine parse(CommandLine line, String[] args) {
        try {
            List<CommandLine> chain = line.parseArgs(args).asCommandLineList();
            CommandLine asked = chain.get(chain.size() - 1);
            List<String> unmatched = asked.getUnmatchedArguments(); // picocli accepts these together with --help
            if (asked == line && !unmatched.isEmpty() && !unmatched.get(0).startsWith("-")) {
                throw new UnmatchedArgumentException(line, unmatched);
            }
            return asked;
        } catch (ParameterException misuse) {
            throw new CommandFailure(Misuse.explain(misuse));
        }
    }

    private int failed(String message) {
        shell.note("weir: " + Text.visible(message) + "\n");
        return Subcommand.FAILED;
    }

    private int bug(Throwable fault) {
        if (shell.debugs()) {
            shell.note(Text.trace(fault));
        }
        return failed("this should not have happened (" + fault + "); please report it, with what WEIR_DEBUG=1 shows");
    }
}
