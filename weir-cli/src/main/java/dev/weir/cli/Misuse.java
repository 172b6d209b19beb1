package dev.weir.cli;

import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what was wrong with a command line, and what would be right. */
final class Misuse {
    private Misuse() {}

    static String explain(ParameterException e) {
        CommandLine command = e.getCommandLine();
        ArgSpec refused = e.getArgSpec();
        if (refused != null && e.getCause() instanceof IllegalArgumentException reason) {
            return named(name(refused), String.valueOf(reason.getMessage()));
        } else if (refused != null && e.getCause() instanceof TypeConversionException reason) {
            return name(refused) + " takes no value; " + reason.getMessage(); // by picocli's converter, as of switches
        }
        return complaint(e, command) + "; see '" + command.getCommandSpec().qualifiedName() + " --help'";
    }

    private static String complaint(ParameterException e, CommandLine command) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched.getUnmatched().get(0), command);
        } else if (e instanceof MissingParameterException missing) {
            return missing(missing, command);
        } else if (e instanceof OverwrittenOptionException overwritten) {
            return name(overwritten.getOverwritten()) + " is given twice";
        }
        return String.valueOf(e.getMessage());
    }

    /**
     * Passes the value of an option on if it was given.
     *
     * @param option the option's name
     * @param value its value; null if it was not given
     * @param setter takes the value, or throws an {@link IllegalArgumentException}
     * @throws CommandFailure if the setter refuses the value
     */
    static <T> void set(String option, @Nullable T value, Consumer<T> setter) {
        if (value != null) {
            try {
                setter.accept(value);
            } catch (IllegalArgumentException e) {
                throw refusal(option, e);
            }
        }
    }

    /** Returns the failure that says why the value of an option was refused. */
    static CommandFailure refusal(String option, IllegalArgumentException e) {
        return new CommandFailure(named(option, String.valueOf(e.getMessage())));
    }

    /** Returns a message with the option's name in front, which replaces the same words at its beginning. */
    private static String named(String option, String message) {
        String words = option.substring(2).replace('-', ' ') + " ";
        if (message.startsWith("must ") || message.startsWith("cannot ")) {
            return option + " " + message;
        }
        return message.startsWith(words) ? option + " " + message.substring(words.length()) : option + ": " + message;
    }

    private static String unmatched(String word, CommandLine command) {
        List<String> known = new ArrayList<>();
        command.getCommandSpec().options().forEach(option -> known.add(option.longestName()));
        if (word.startsWith("-") && word.length() > 1) {
            String bare = word.replaceFirst("=.*", "");
            return "unknown option '" + bare + "'" + Spelling.suggestion(bare, known);
        } else if (!command.getSubcommands().isEmpty()) {
            known.addAll(0, command.getSubcommands().keySet());
            return "unknown command '" + word + "'" + Spelling.suggestion(word, known);
        }
        List<PositionalParamSpec> taken = command.getCommandSpec().positionalParameters();
        return "'" + word + "' is too many; "
                + (taken.isEmpty() ? "only options are" : "one " + taken.get(0).paramLabel() + " is") + " taken";
    }

    /** An unknown option is the cause if it is a misspelling of the missing one. */
    private static String missing(MissingParameterException e, CommandLine command) {
        String names = e.getMissing().stream().map(Misuse::name).collect(Collectors.joining(" and "));
        boolean ofValue = String.valueOf(e.getMessage()).contains("parameter for option");
        List<String> unknown = command.getUnmatchedArguments();
        if (!ofValue && !unknown.isEmpty() && unknown.get(0).startsWith("-")) {
            return unmatched(unknown.get(0), command);
        }
        return names + (ofValue ? " needs a value" : e.getMissing().size() == 1 ? " is missing" : " are missing");
    }

    private static String name(ArgSpec spec) {
        return spec instanceof OptionSpec option ? option.longestName() : spec.paramLabel();
    }
}
