package dev.weir.stress.soak;

import dev.weir.stress.UsageException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was asked for.
 *
 * @param duration how long to run
 * @param threads how many threads decide
 * @param keys how many keys there are at a time; they are others after a while
 */
record Options(boolean help, Duration duration, int threads, int keys) {
    static final String HELP = """
            Decides for a long time, from many threads and for keys that come and go, while limits change, and checks every
            admission. It runs in a JVM of its own with a heap of 256 MB.

            Usage: stress soak [--duration TIME] [--threads N] [--keys N]

              --duration TIME  how long: 5s, 10m, 1h; default 10m
              --threads N      how many threads decide, 1 to 64; default 4
              --keys N         how many keys there are at a time, 100 to 1,000,000; default 200,000
              -h, --help       shows this

            Exit codes:
              0  no limit was broken, and memory stayed flat
              1  a limit was broken, memory grew, or the run failed
              2  usage
            """;

    private static final String SEE = "; see 'stress soak --help'";
    private static final Pattern TIME = Pattern.compile("(\\d{1,6})(s|m|h)");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,3}(,?\\d{3}){0,2}");
    private static final Duration LONGEST = Duration.ofDays(7);

    /** Reads the command line. */
    static Options parse(String... args) {
        Duration duration = Duration.ofMinutes(10);
        int threads = 4;
        int keys = 200_000;
        Deque<String> left = new ArrayDeque<>(List.of(args));
        Set<String> given = new HashSet<>();
        while (!left.isEmpty()) {
            String option = option(left);
            if (!given.add(option)) {
                throw new UsageException(option + " is given twice");
            }
            switch (option) {
                case "--duration" -> duration = time(option, value(option, left));
                case "--threads" -> threads = number(option, value(option, left), 1, 64);
                case "--keys" -> keys = number(option, value(option, left), 100, 1_000_000);
                case "-h", "--help" -> {}
                default ->
                    throw new UsageException((option.startsWith("-")
                                    ? "unknown option '" + option + "'"
                                    : "'" + option + "' is too many")
                            + SEE);
            }
        }
        return new Options(given.contains("-h") || given.contains("--help"), duration, threads, keys);
    }

    /** The next option; a value that is joined to it stays behind. */
    private static String option(Deque<String> left) {
        String option = left.pop();
        int equals = option.indexOf('=');
        if (option.startsWith("--") && equals > 0) {
            left.push(option.substring(equals + 1));
            return option.substring(0, equals);
        }
        return option;
    }

    private static String value(String option, Deque<String> left) {
        String value = left.poll();
        if (value == null || value.isEmpty() || value.startsWith("--")) {
            throw new UsageException(option + " needs a value" + SEE);
        }
        return value;
    }

    private static Duration time(String option, String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException(option + " must be a time such as 5s, 10m or 1h, was '" + text + "'");
        }
        long count = Long.parseLong(matcher.group(1));
        Duration time = switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
        if (time.isZero() || time.compareTo(LONGEST) > 0) {
            throw new UsageException(option + " must be 1 second to 7 days, was " + text);
        }
        return time;
    }

    private static int number(String option, String text, int least, int most) {
        if (!NUMBER.matcher(text).matches()) {
            throw new UsageException(option + " must be a whole number, was '" + text + "'");
        }
        long number = Long.parseLong(text.replace(",", ""));
        if (number < least || number > most) {
            throw new UsageException(option + " must be " + least + " to " + most + ", was " + text);
        }
        return (int) number;
    }
}
