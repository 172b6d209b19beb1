package dev.weir.cli;

import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.internal.Durations;
import dev.weir.internal.Spelling;
import dev.weir.replay.format.ClientChoice;
import dev.weir.replay.format.LogFormat;
import dev.weir.replay.format.LogOptions.Order;
import dev.weir.replay.generate.LogGenerator;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters from the words of a command line to values. {@link Misuse} adds the name of the option to their messages. */
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
                throw new TypeConversionException(e.getMessage() + hint);
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
                throw new TypeConversionException(e.getMessage() + Spelling.suggestion(text, LogFormat.names()));
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
                List<String> known = List.of("first", "last", "2-from-right");
                throw new TypeConversionException(e.getMessage() + Spelling.suggestion(text, known));
            }
        }
    }

    /** {@code --order}. */
    static final class ToOrder implements ITypeConverter<Order> {
        @Override
        public Order convert(String text) {
            return oneOf(text, "time", "file").equals("time") ? Order.TIME : Order.FILE;
        }
    }

    /** {@code --year}. */
    static final class ToYear implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number(text, 1970, 2261);
        }
    }

    /** {@code --report}. */
    static final class ToReport implements ITypeConverter<ReportFile> {
        @Override
        public ReportFile convert(String text) {
            try {
                return ReportFile.named(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** {@code --requests}. */
    static final class ToRequests implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return number(text, 1, Long.MAX_VALUE);
        }
    }

    /** {@code --clients}. */
    static final class ToClients implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number(text, 1, LogGenerator.MAX_CLIENTS);
        }
    }

    /** {@code --seed}. */
    static final class ToSeed implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return number(text, Long.MIN_VALUE, Long.MAX_VALUE);
        }
    }

    /** {@code --port} and {@code --grpc-port}. */
    static final class ToPort implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number(text, 0, MAX_PORT);
        }
    }

    /** {@code --max-keys}. */
    static final class ToMaxKeys implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number(text, 1, MAX_KEYS);
        }
    }

    /** {@code --redis-timeout}: a duration as in limits. */
    static final class ToDuration implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                return Durations.parse(text);
            } catch (DateTimeParseException none) {
                throw new TypeConversionException("must be a duration such as 50ms, was '" + text + "'");
            }
        }
    }

    /** {@code --log}. */
    static final class ToLogFormat implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            return oneOf(text, "json", "text");
        }
    }

    /** {@code --compat}, which has one value yet. */
    static final class ToCompatibility implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            return oneOf(text, "fixed-window");
        }
    }

    /** What {@code --when-redis-fails} says; null is no policy. */
    record WhenRedisFails(@Nullable FailurePolicy policy) {}

    /** {@code --when-redis-fails}. */
    static final class ToWhenRedisFails implements ITypeConverter<WhenRedisFails> {
        @Override
        public WhenRedisFails convert(String text) {
            return switch (oneOf(text, "open", "closed", "local", "error")) {
                case "open" -> new WhenRedisFails(FailurePolicy.open());
                case "closed" -> new WhenRedisFails(FailurePolicy.closed());
                case "local" -> new WhenRedisFails(FailurePolicy.local(1));
                default -> new WhenRedisFails(null);
            };
        }
    }

    private static String oneOf(String text, String... words) {
        List<String> known = List.of(words);
        if (known.contains(text)) {
            return text;
        }
        int last = known.size() - 1;
        String others = last == 0 ? "" : String.join(", ", known.subList(0, last)) + " or ";
        throw new TypeConversionException(
                "must be " + others + known.get(last) + ", was '" + text + "'" + Spelling.suggestion(text, known));
    }

    private static long number(String text, long least, long most) {
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException none) {
            // reported below, like a number out of range
        }
        String range = least == Long.MIN_VALUE ? "" : " from " + least + " to " + most;
        throw new TypeConversionException("must be a whole number" + range + ", was '" + text + "'");
    }
}
