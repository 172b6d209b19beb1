package dev.weir.stress;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options of a command line, {@code --name value} or {@code --name=value}, each at most once. */
final class Arguments {
    static final String SEE = "; see 'stress --help'";

    private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(s|m|h)");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,3}(,?\\d{3}){0,2}");
    private static final Duration LONGEST = Duration.ofDays(7);

    private final Map<String, String> values = new HashMap<>();

    /** The command line is wrong; the message says how. */
    static final class UsageException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UsageException(String message) {
            super(message, null, false, false);
        }
    }

    Arguments(List<String> args, Set<String> known) {
        for (int i = 0; i < args.size(); i++) {
            String[] parts = args.get(i).split("=", 2);
            String name = parts[0];
            if (!known.contains(name)) {
                throw new UsageException(
                        (name.startsWith("-") ? "unknown option '" + name + "'" : "'" + name + "' is too many") + SEE);
            }
            String value = parts.length == 2 ? parts[1] : ++i < args.size() ? args.get(i) : "";
            if (value.isEmpty() || value.startsWith("--")) {
                throw new UsageException(name + " needs a value" + SEE);
            } else if (values.put(name, value) != null) {
                throw new UsageException(name + " is given twice");
            }
        }
    }

    int number(String name, int least, int most, int byDefault) {
        String text = values.getOrDefault(name, Integer.toString(byDefault));
        if (!NUMBER.matcher(text).matches()) {
            throw new UsageException(name + " must be a whole number, was '" + text + "'");
        }
        int number = Integer.parseInt(text.replace(",", ""));
        if (values.containsKey(name) && (number < least || number > most)) {
            throw new UsageException(name + " must be " + least + " to " + most + ", was " + text);
        }
        return number;
    }

    Duration duration(String name, String byDefault) {
        String text = values.getOrDefault(name, byDefault);
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException(name + " must be a time such as 5s, 10m or 1h, was '" + text + "'");
        }
        long count = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
        if (duration.isZero() || duration.compareTo(LONGEST) > 0) {
            throw new UsageException(name + " must be 1 second to 7 days, was " + text);
        }
        return duration;
    }
}
