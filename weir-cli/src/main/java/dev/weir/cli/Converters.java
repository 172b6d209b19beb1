package dev.weir.cli;

import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.internal.Spelling;
import dev.weir.replay.format.ClientChoice;
import dev.weir.replay.format.LogFormat;
import dev.weir.replay.format.LogOptions.Order;
import dev.weir.replay.generate.LogGenerator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters from the words of a command line to values. Their messages begin with the name of the option. */
final class Converters {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_KEYS = 1_000_000_000;

    private Converters() {}

    /** {@code --limit}. */
    static final class ToLimit implements ITypeConverter<Limit> {
        @Override
        public Limit convert(String text) {
            try {
                return Limit.parse(text);
            } catch (IllegalArgumentException e) {
                String hint = text.indexOf('/') < 0 && text.indexOf(' ') < 0
                        ? " (in quotes, if it has spaces: --limit \"gcra 5/1s\")"
                        : "";
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
                throw refusal("--format", e.getMessage() + Spelling.suggestion(text, LogFormat.names()));
            }
        }
    }

    /** {@code --client}. */
    static final class ToClient implements ITypeConverter<ClientChoice> {
        @Override
        public ClientChoice convert(String text) {
            try {
                return ClientChoice.parse(text);
            } catch (IllegalArgumentException e) {
                throw refusal(
                        "--client",
                        e.getMessage() + Spelling.suggestion(text, List.of("first", "last", "2-from-right")));
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
                default ->
                    throw refusal(
                            "--order",
                            "order must be time or file, was '" + text + "'"
                                    + Spelling.suggestion(text, List.of("time", "file")));
            };
        }
    }

    /** {@code --year}. */
    static final class ToYear implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number("--year", text, 1970, 2261);
        }
    }

    /** {@code --report}. */
    static final class ToReport implements ITypeConverter<ReportFile> {
        @Override
        public ReportFile convert(String text) {
            try {
                return ReportFile.named(text);
            } catch (IllegalArgumentException e) {
                throw refusal("--report", e.getMessage());
            }
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

    /** {@code --port}. */
    static final class ToPort implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number("--port", text, 0, MAX_PORT);
        }
    }

    /** {@code --grpc-port}. */
    static final class ToGrpcPort implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number("--grpc-port", text, 0, MAX_PORT);
        }
    }

    /** {@code --max-keys}. */
    static final class ToMaxKeys implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number("--max-keys", text, 1, MAX_KEYS);
        }
    }

    /** {@code --log}. */
    static final class ToLogFormat implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            return oneOf("--log", text, "json", "text");
        }
    }

    /** {@code --compat}, which has one value yet. */
    static final class ToCompatibility implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            return oneOf("--compat", text, "fixed-window");
        }
    }

    /** What {@code --when-redis-fails} says; null is no policy. */
    record WhenRedisFails(@Nullable FailurePolicy policy) {}

    /** {@code --when-redis-fails}. */
    static final class ToWhenRedisFails implements ITypeConverter<WhenRedisFails> {
        @Override
        public WhenRedisFails convert(String text) {
            return switch (text) {
                case "open" -> new WhenRedisFails(FailurePolicy.open());
                case "closed" -> new WhenRedisFails(FailurePolicy.closed());
                case "local" -> new WhenRedisFails(FailurePolicy.local(1));
                case "error" -> new WhenRedisFails(null);
                default ->
                    throw refusal(
                            "--when-redis-fails",
                            "when redis fails must be open, closed, local or error, was '" + text + "'"
                                    + Spelling.suggestion(text, List.of("open", "closed", "local", "error")));
            };
        }
    }

    private static String oneOf(String option, String text, String... words) {
        if (List.of(words).contains(text)) {
            return text;
        }
        String rule = option + " must be " + String.join(" or ", words);
        throw new TypeConversionException(rule + ", was '" + text + "'" + Spelling.suggestion(text, List.of(words)));
    }

    private static long number(String option, String text, long least, long most) {
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException none) {
            // reported below, like a number out of range
        }
        String range = least == Long.MIN_VALUE ? "" : " from " + least + " to " + most;
        throw new TypeConversionException(option + " must be a whole number" + range + ", was '" + text + "'");
    }

    private static TypeConversionException refusal(String option, @Nullable String message) {
        return new TypeConversionException(named(option, String.valueOf(message)));
    }

    /** Returns a message with the option's name in front, which replaces the same words at its beginning. */
    static String named(String option, String message) {
        String words = option.substring(2).replace('-', ' ');
        return message.startsWith(words + " ") ? option + message.substring(words.length()) : option + ": " + message;
    }
}
