package dev.weir;

import static dev.weir.internal.Spelling.shown;

import dev.weir.internal.Durations;
import dev.weir.internal.Spelling;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The grammar of limits: {@code [ALGORITHM] PERMITS/WINDOW [OPTION=VALUE]...}, or {@code unlimited}, for the kinds of a table.
 * Its messages name the error, its column and what is accepted.
 *
 * @param <T> the type of the limits
 */
final class LimitText<T extends LimitSpec> {
    private static final int MAX_LENGTH = 512;
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");
    private static final String DEFAULT = "sliding-log";

    private final Map<String, Function<LimitSpec, T>> kinds;
    private final String text;

    private LimitText(Map<String, Function<LimitSpec, T>> kinds, String text) {
        this.kinds = kinds;
        this.text = text;
    }

    /** Reads a limit. The text names an algorithm of the table. */
    static <T extends LimitSpec> T parse(String text, Map<String, Function<LimitSpec, T>> kinds) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "limit must be at most " + MAX_LENGTH + " characters long, was " + text.length());
        }
        return new LimitText<>(kinds, text).parse();
    }

    /** One word of the text and where it starts, counted from 0. */
    private record Word(String text, int start) {}

    private T parse() {
        List<Word> words = WORD.matcher(text)
                .results()
                .map(word -> new Word(word.group(), word.start()))
                .toList();
        if (words.isEmpty()) {
            throw wrong(0, "limit is empty; expected a limit such as 100/1m or token-bucket 100/1m burst=200");
        }
        char first = words.get(0).text.charAt(0);
        boolean named = first != '-' && (first < '0' || first > '9');
        String algorithm = named ? words.get(0).text : DEFAULT;
        Function<LimitSpec, T> kind = kinds.get(algorithm);
        if (kind == null) {
            List<String> known = List.copyOf(kinds.keySet());
            throw wrong(
                    words.get(0).start,
                    "unknown algorithm '" + shown(algorithm) + "'" + Spelling.suggestion(algorithm, known)
                            + "; expected one of " + String.join(", ", known) + ", or PERMITS/WINDOW such as 100/1m");
        }
        boolean rated = !algorithm.equals(LimitSpec.UNLIMITED);
        if (named && rated && words.size() == 1) {
            throw wrong(text.length(), "PERMITS/WINDOW is missing after '" + algorithm + "'; expected e.g. 100/1m");
        }
        T limit = rated ? rate(algorithm, kind, words.get(named ? 1 : 0)) : kind.apply(LimitSpec.withoutRate());
        Set<String> seen = new HashSet<>();
        for (Word word : words.subList((named ? 1 : 0) + (rated ? 1 : 0), words.size())) {
            limit = option(kind, limit, word, seen);
        }
        return limit;
    }

    private T rate(String algorithm, Function<LimitSpec, T> kind, Word word) {
        int slash = word.text.indexOf('/');
        if (slash < 0) {
            throw wrong(word.start, "no '/' in '" + shown(word.text) + "'; expected PERMITS/WINDOW such as 100/1m");
        }
        long permits = number(new Word(word.text.substring(0, slash), word.start), "permits");
        Word length = new Word(word.text.substring(slash + 1), word.start + slash + 1);
        Duration window = duration(length);
        checked(length, () -> Checks.windowNanos(window));
        return checked(word, () -> kind.apply(LimitSpec.of(algorithm, permits, window)));
    }

    private T option(Function<LimitSpec, T> kind, T limit, Word word, Set<String> seen) {
        String algorithm = limit.algorithm();
        int equals = word.text.indexOf('=');
        if (equals < 0) {
            throw wrong(
                    word.start,
                    "'" + shown(word.text) + "' is not OPTION=VALUE; " + algorithm + " takes " + usage(limit));
        }
        String name = word.text.substring(0, equals);
        if (!seen.add(name)) {
            throw wrong(word.start, "option '" + shown(name) + "' is given twice");
        }
        Word value = new Word(word.text.substring(equals + 1), word.start + equals + 1);
        if (name.equals("name")) {
            return checked(value, () -> kind.apply(limit.withName(value.text)));
        }
        LimitSpec.Option option = limit.options().get(name);
        if (option == null) {
            throw wrong(word.start, unknown(name, algorithm) + "; " + algorithm + " takes " + usage(limit));
        }
        Object given = value(name, option.example(), value);
        return checked(value, () -> kind.apply(limit.with(name, given)));
    }

    private static String usage(LimitSpec limit) {
        String all = limit.options().entrySet().stream()
                .map(option -> option.getKey() + "=" + option.getValue().example())
                .collect(Collectors.joining(", "));
        return all + (all.isEmpty() ? "" : " and ") + "name=NAME";
    }

    private String unknown(String name, String algorithm) {
        Map<String, String> owners = new LinkedHashMap<>(Map.of("name", ""));
        kinds.forEach((owner, kind) -> kind.apply(LimitSpec.of(owner, 1, Duration.ofSeconds(1)))
                .options()
                .keySet()
                .forEach(option -> owners.merge(option, owner, (one, other) -> one + " and " + other)));
        return owners.containsKey(name)
                ? "option '" + name + "' belongs to " + owners.get(name) + ", not to " + algorithm
                : "unknown option '" + shown(name) + "'" + Spelling.suggestion(name, List.copyOf(owners.keySet()));
    }

    /** Reads a value in the form of the example. */
    private Object value(String option, String example, Word word) {
        if (example.contains("|")) {
            return choice(List.of(example.split("\\|")), word);
        }
        if (NUMBER.matcher(example).matches()) {
            return number(word, option);
        }
        Duration duration = duration(word);
        return checked(word, () -> Durations.nonNegativeNanos(option, duration));
    }

    private long number(Word word, String what) {
        try {
            if (NUMBER.matcher(word.text).matches()) { // parseLong reads the digits of other scripts
                return Long.parseLong(word.text);
            }
            throw new NumberFormatException(word.text);
        } catch (NumberFormatException notANumber) {
            throw wrong(
                    word.start,
                    what + " is '" + shown(word.text) + "'; expected a whole number from 1 to " + Long.MAX_VALUE);
        }
    }

    private Duration duration(Word word) {
        try {
            return Durations.parse(word.text);
        } catch (DateTimeParseException none) {
            throw wrong(word.start + none.getErrorIndex(), String.valueOf(none.getMessage()));
        }
    }

    private String choice(List<String> choices, Word word) {
        if (choices.contains(word.text)) {
            return word.text;
        }
        throw wrong(word.start, "'" + shown(word.text) + "' is not a choice; expected " + String.join(" or ", choices));
    }

    private IllegalArgumentException wrong(int at, String what) {
        return new IllegalArgumentException("limit '" + shown(text) + "', column " + (at + 1) + ": " + what);
    }

    /** Adds the column of {@code word} to the messages of the limit's own checks. */
    private <R> R checked(Word word, Supplier<R> step) {
        try {
            return step.get();
        } catch (IllegalArgumentException complaint) {
            throw wrong(word.start, String.valueOf(complaint.getMessage()));
        }
    }
}
