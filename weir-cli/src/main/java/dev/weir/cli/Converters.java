package dev.weir.cli;

import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.internal.Durations;
import dev.weir.internal.Spelling;
import dev.weir.replay.format.ClientChoice;
import dev.weir.replay.format.LogFormat;
import dev.weir.replay.format.LogOptions.Order;
import dev.weir.replay.generate.LogGenerator;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;

/**
 * Converters from the words of a command line to values: one for each type, and for numbers and words one for each option. What they refuse
 * is an {@link IllegalArgumentException}, to whose message {@link Misuse} adds the name of the option.
 */
final class Converters {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_KEYS = 1_000_000_000;
    private static final Pattern SHARE = Pattern.compile("local\\(([0-9]*\\.?[0-9]+)\\)");

    private Converters() {}

    /** Registers the converters of types with a command and its subcommands. */
    static void register(CommandLine line) {
        line.registerConverter(Path.class, InputFile::path)
                .registerConverter(Limit.class, Converters::limit)
                .registerConverter(LogFormat.class, Converters::format)
                .registerConverter(ClientChoice.class, Converters::client)
                .registerConverter(Order.class, Converters::order)
                .registerConverter(OnRedis.class, OnRedis::new)
                .registerConverter(ReportFile.class, ReportFile::named)
                .registerConverter(Duration.class, Converters::duration)
                .registerConverter(WhenRedisFails.class, Converters::whenRedisFails);
    }

    private static Limit limit(String text) {
        String hint = text.indexOf('/') < 0 && text.indexOf(' ') < 0
                ? " (in quotes, if it has spaces: --limit \"gcra 5/1s\")"
                : "";
        return parse(text, Limit::parse, hint);
    }

    private static LogFormat format(String text) {
        return parse(text, LogFormat::parse, Spelling.suggestion(text, LogFormat.names()));
    }

    private static ClientChoice client(String text) {
        List<String> known = List.of("first", "last", "2-from-right");
        return parse(text, ClientChoice::parse, Spelling.suggestion(text, known));
    }

    private static <T> T parse(String text, Function<String, T> parser, String hint) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + hint, e);
        }
    }

    private static Order order(String text) {
        return oneOf(text, "time", "file").equals("time") ? Order.TIME : Order.FILE;
    }

    private static Duration duration(String text) {
        try {
            return Durations.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("must be a duration such as 50ms, was '" + text + "'", e);
        }
    }

    /** What {@code --when-redis-fails} says; null is no policy. */
    record WhenRedisFails(@Nullable FailurePolicy policy) {}

    static WhenRedisFails whenRedisFails(String text) {
        Matcher share = SHARE.matcher(text);
        if (share.matches()) {
            return new WhenRedisFails(FailurePolicy.local(Double.parseDouble(share.group(1))));
        }
        return switch (oneOf(text, "open", "closed", "local", "local(0.5)", "error")) {
            case "open" -> new WhenRedisFails(FailurePolicy.open());
            case "closed" -> new WhenRedisFails(FailurePolicy.closed());
            case "local" -> new WhenRedisFails(FailurePolicy.local(1));
            default -> new WhenRedisFails(null);
        };
    }

    /** {@code --year}. */
    static final class ToYear implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) number(text, 1970, 2261);
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

    private static String oneOf(String text, String... words) {
        List<String> known = List.of(words);
        if (known.contains(text)) {
            return text;
        }
        int last = known.size() - 1;
        String others = last == 0 ? "" : String.join(", ", known.subList(0, last)) + " or ";
        throw new IllegalArgumentException(
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
        throw new IllegalArgumentException("must be a whole number" + range + ", was '" + text + "'");
    }
}
