package dev.weir.cli;

import dev.weir.Limit;
import dev.weir.replay.LogFormat;
import dev.weir.replay.LogGenerator;
import dev.weir.replay.LogOptions.Order;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** From the words of a command line to values. What they refuse begins with the option's name. */
final class Converters {
    private Converters() {}

    /** {@code --limit}. */
    static final class ToLimit implements ITypeConverter<Limit> {
        @Override
        public Limit convert(String text) {
            try {
                return Limit.parse(text);
            } catch (IllegalArgumentException e) {
                String hint = text.indexOf('/') < 0 ? " (in quotes, if it has spaces: --limit \"gcra 5/1s\")" : "";
                throw refusal("--limit", e.getMessage() + hint);
            }
        }
    }

    /** {@code --format}. */
    static final class ToFormat implements ITypeConverter<LogFormat> {
        @Override
        public LogFormat convert(String text) {
            try {
                return LogFormat.parse(text);
            } catch (IllegalArgumentException e) {
                throw refusal("--format", e.getMessage());
            }
        }
    }

    /** {@code --order}. */
    static final class ToOrder implements ITypeConverter<Order> {
        @Override
        public Order convert(String text) {
            return switch (text) {
                case "time" -> Order.TIME;
                case "file" -> Order.FILE;
                default -> throw refusal("--order", "order must be time or file, was '" + text + "'");
            };
        }
    }

    /** {@code --requests}. */
    static final class ToRequests implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return number("--requests", text, 1, Long.MAX_VALUE);
        }
    }

    /** {@code --clients}. */
    static final class ToClients implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number("--clients", text, 1, LogGenerator.MAX_CLIENTS);
        }
    }

    /** {@code --seed}. */
    static final class ToSeed implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return number("--seed", text, Long.MIN_VALUE, Long.MAX_VALUE);
        }
    }

    private static long number(String option, String text, long least, long most) {
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException none) {
            // told below, as for a number out of its range
        }
        String range = least == Long.MIN_VALUE ? "" : " from " + least + " to " + most;
        throw new TypeConversionException(option + " must be a whole number" + range + ", was '" + text + "'");
    }

    private static TypeConversionException refusal(String option, @Nullable String message) {
        return new TypeConversionException(named(option, String.valueOf(message)));
    }

    /** A message with the option's name in front, made of the message's own first words if they are it. */
    static String named(String option, String message) {
        String words = option.substring(2).replace('-', ' ');
        return message.startsWith(words + " ") ? option + message.substring(words.length()) : option + ": " + message;
    }
}
