package dev.weir;

import dev.weir.internal.Spelling;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The grammar of limits: {@code [ALGORITHM] PERMITS/WINDOW [OPTION=VALUE]...}, or {@code unlimited}. Reads it with messages
 * that name the error, its column and what is accepted; writes it in canonical form, without default options.
 */
final class LimitText {
    private static final int MAX_LENGTH = 512;
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final Pattern AMOUNT = Pattern.compile("([0-9]+)([a-zA-Z]+)");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");
    private static final String UNLIMITED = "unlimited";
    private static final List<String> ALGORITHMS =
            List.of("sliding-log", "sliding-window", "fixed-window", "token-bucket", "leaky-bucket", "gcra", UNLIMITED);
    private static final Map<String, Long> UNITS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "min", 60_000_000_000L,
            "h", 3_600_000_000_000L,
            "d", 86_400_000_000_000L,
            "w", 604_800_000_000_000L);
    private static final List<String> UNITS_DOWN = List.of("w", "d", "h", "m", "s", "ms", "us", "ns");
    private static final Map<String, String> OPTIONS = Map.of(
            "resolution", "sliding-log",
            "margin", "sliding-log",
            "count", "sliding-log",
            "buckets", "sliding-window",
            "estimate", "sliding-window",
            "align", "fixed-window",
            "burst", "token-bucket and gcra",
            "capacity", "leaky-bucket",
            "name", "");
    private static final String DURATIONS = "a duration such as 10ms, 1s, 1m, 1h, 1d, 1w or PT1M";

    private final String text;

    private LimitText(String text) {
        this.text = text;
    }

    static Limit parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "limit must be at most " + MAX_LENGTH + " characters long, was " + text.length());
        }
        try {
            return new LimitText(text).parse();
        } catch (Fault fault) {
            throw new IllegalArgumentException(fault.getMessage());
        }
    }

    /** One word of the text and where it starts, counted from 0. */
    private record Word(String text, int start) {}

    private Limit parse() {
        List<Word> words = words();
        if (words.isEmpty()) {
            throw wrong(0, "limit is empty; expected a limit such as 100/1m or token-bucket 100/1m burst=200");
        }
        char first = words.get(0).text.charAt(0);
        boolean named = first != '-' && (first < '0' || first > '9');
        String algorithm = named ? words.get(0).text : "sliding-log";
        if (!ALGORITHMS.contains(algorithm)) {
            throw wrong(
                    words.get(0).start,
                    "unknown algorithm '" + Checks.shown(algorithm) + "'"
                            + Spelling.suggestion(algorithm, ALGORITHMS) + "; expected one of "
                            + String.join(", ", ALGORITHMS) + ", or PERMITS/WINDOW such as 100/1m");
        }
        boolean rated = !algorithm.equals(UNLIMITED);
        if (named && rated && words.size() == 1) {
            throw wrong(text.length(), "PERMITS/WINDOW is missing after '" + algorithm + "'; expected e.g. 100/1m");
        }
        Limit limit = rated ? rate(algorithm, words.get(named ? 1 : 0)) : Limit.unlimited();
        Set<String> seen = new HashSet<>();
        for (Word word : words.subList((named ? 1 : 0) + (rated ? 1 : 0), words.size())) {
            limit = option(algorithm, limit, word, seen);
        }
        return limit;
    }

    private List<Word> words() {
        List<Word> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            words.add(new Word(matcher.group(), matcher.start()));
        }
        return words;
    }

    private Limit rate(String algorithm, Word word) {
        int slash = word.text.indexOf('/');
        if (slash < 0) {
            throw wrong(
                    word.start, "no '/' in '" + Checks.shown(word.text) + "'; expected PERMITS/WINDOW such as 100/1m");
        }
        long permits = number(new Word(word.text.substring(0, slash), word.start), "permits");
        Word span = new Word(word.text.substring(slash + 1), word.start + slash + 1);
        Duration window = duration(span);
        return checked(word, () -> switch (algorithm) {
            case "sliding-log" -> Limit.slidingLog(permits, window);
            case "sliding-window" -> Limit.slidingWindow(permits, window);
            case "fixed-window" -> Limit.fixedWindow(permits, window);
            case "token-bucket" -> Limit.tokenBucket(permits, window);
            case "leaky-bucket" -> Limit.leakyBucket(permits, window);
            default -> Limit.gcra(permits, window);
        });
    }

    private Limit option(String algorithm, Limit limit, Word word, Set<String> seen) {
        int equals = word.text.indexOf('=');
        if (equals < 0) {
            throw wrong(
                    word.start,
                    "'" + Checks.shown(word.text) + "' is not OPTION=VALUE; " + algorithm + " takes " + options(limit));
        }
        String option = word.text.substring(0, equals);
        if (!seen.add(option)) {
            throw wrong(word.start, "option '" + Checks.shown(option) + "' is given twice");
        }
        Word value = new Word(word.text.substring(equals + 1), word.start + equals + 1);
        return checked(value, () -> with(limit, option, value, () -> unknown(algorithm, limit, word)));
    }

    private Fault unknown(String algorithm, Limit limit, Word word) {
        String option = word.text.substring(0, word.text.indexOf('='));
        String owners = OPTIONS.getOrDefault(option, "");
        String what = owners.isEmpty()
                ? "unknown option '" + Checks.shown(option) + "'"
                        + Spelling.suggestion(option, List.copyOf(OPTIONS.keySet()))
                : "option '" + option + "' belongs to " + owners + ", not to " + algorithm;
        return wrong(word.start, what + "; " + algorithm + " takes " + options(limit));
    }

    private Limit with(Limit limit, String option, Word value, Supplier<Fault> unknown) {
        if (option.equals("name")) {
            return limit.named(Checks.name("name", value.text));
        } else if (limit instanceof SlidingLogLimit log) {
            return switch (option) {
                case "resolution" -> log.resolution(duration(value));
                case "margin" -> log.margin(duration(value));
                case "count" -> log.count(choice(value, SlidingLogLimit.Count.values()));
                default -> throw unknown.get();
            };
        } else if (limit instanceof SlidingWindowLimit window) {
            return switch (option) {
                case "buckets" -> window.buckets(buckets(value));
                case "estimate" -> window.estimate(choice(value, SlidingWindowLimit.Estimate.values()));
                default -> throw unknown.get();
            };
        } else if (limit instanceof FixedWindowLimit window && option.equals("align")) {
            return window.align(choice(value, FixedWindowLimit.Align.values()));
        } else if (limit instanceof TokenBucketLimit bucket && option.equals("burst")) {
            return bucket.burst(number(value, "burst"));
        } else if (limit instanceof LeakyBucketLimit bucket && option.equals("capacity")) {
            return bucket.capacity(number(value, "capacity"));
        } else if (limit instanceof GcraLimit gcra && option.equals("burst")) {
            return gcra.burst(number(value, "burst"));
        }
        throw unknown.get();
    }

    private static String options(Limit limit) {
        if (limit instanceof SlidingLogLimit) {
            return "resolution=1ms, count=admitted|attempts, margin=50ms and name=NAME";
        } else if (limit instanceof SlidingWindowLimit) {
            return "buckets=60, estimate=conservative|classic and name=NAME";
        } else if (limit instanceof FixedWindowLimit) {
            return "align=clock|first and name=NAME";
        } else if (limit instanceof UnlimitedLimit) {
            return "name=NAME";
        }
        return (limit instanceof LeakyBucketLimit ? "capacity" : "burst") + "=20 and name=NAME";
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
                    what + " is '" + Checks.shown(word.text) + "'; expected a whole number from 1 to "
                            + Long.MAX_VALUE);
        }
    }

    private int buckets(Word word) {
        long buckets = number(word, "buckets");
        Checks.range("buckets", buckets, 1, SlidingWindowLimit.MAX_BUCKETS);
        return (int) buckets;
    }

    private Duration duration(Word word) {
        Matcher matcher = AMOUNT.matcher(word.text);
        try {
            if (matcher.matches()) {
                Long unit = UNITS.get(matcher.group(2));
                if (unit == null) {
                    throw wrong(
                            word.start + matcher.start(2),
                            "unknown unit '" + Checks.shown(matcher.group(2))
                                    + "'; expected ns, us, ms, s, m or min, h, d or w");
                }
                return Duration.ofNanos(Math.multiplyExact(Long.parseLong(matcher.group(1)), unit));
            }
            return Duration.parse(word.text);
        } catch (DateTimeParseException notIso) {
            throw wrong(word.start, "'" + Checks.shown(word.text) + "' is not a duration; expected " + DURATIONS);
        } catch (ArithmeticException | NumberFormatException tooLong) {
            throw wrong(word.start, "'" + Checks.shown(word.text) + "' is longer than 292 years");
        }
    }

    private <E extends Enum<E>> E choice(Word word, E[] values) {
        for (E value : values) {
            if (written(value).equals(word.text)) {
                return value;
            }
        }
        List<String> names = Arrays.stream(values).map(LimitText::written).toList();
        throw wrong(
                word.start,
                "'" + Checks.shown(word.text) + "' is not a choice; expected " + String.join(" or ", names));
    }

    /** An error whose message already names its column. */
    @SuppressWarnings("serial")
    private static final class Fault extends IllegalArgumentException {
        Fault(String message) {
            super(message);
        }
    }

    private Fault wrong(int at, String what) {
        return new Fault("limit '" + Checks.shown(text) + "', column " + (at + 1) + ": " + what);
    }

    /** Adds the column of {@code word} to the messages of the limit's own checks. */
    private Limit checked(Word word, Supplier<Limit> step) {
        try {
            return step.get();
        } catch (Fault told) {
            throw told;
        } catch (IllegalArgumentException complaint) {
            throw wrong(word.start, String.valueOf(complaint.getMessage()));
        }
    }

    static String write(Limit limit) {
        StringBuilder out = new StringBuilder();
        if (limit instanceof SlidingLogLimit log) {
            start(out, "sliding-log", log);
            boolean usual = log.resolutionNanos() == SlidingLogLimit.defaultResolutionNanos(log.windowNanos());
            out.append(usual ? "" : " resolution=" + written(log.resolutionNanos()));
            out.append(log.count() == SlidingLogLimit.Count.ADMITTED ? "" : " count=" + written(log.count()));
            out.append(log.marginNanos() == 0 ? "" : " margin=" + written(log.marginNanos()));
        } else if (limit instanceof SlidingWindowLimit window) {
            start(out, "sliding-window", window);
            boolean usual = window.buckets() == SlidingWindowLimit.defaultBuckets(window.windowNanos());
            out.append(usual ? "" : " buckets=" + window.buckets());
            out.append(
                    window.estimate() == SlidingWindowLimit.Estimate.CONSERVATIVE
                            ? ""
                            : " estimate=" + written(window.estimate()));
        } else if (limit instanceof FixedWindowLimit window) {
            start(out, "fixed-window", window);
            out.append(window.align() == FixedWindowLimit.Align.CLOCK ? "" : " align=" + written(window.align()));
        } else if (limit instanceof TokenBucketLimit bucket) {
            start(out, "token-bucket", bucket);
            out.append(bucket.burst() == bucket.permits() ? "" : " burst=" + bucket.burst());
        } else if (limit instanceof LeakyBucketLimit bucket) {
            start(out, "leaky-bucket", bucket);
            out.append(bucket.capacity() == bucket.permits() ? "" : " capacity=" + bucket.capacity());
        } else if (limit instanceof GcraLimit gcra) {
            start(out, "gcra", gcra);
            out.append(gcra.burst() == 1 ? "" : " burst=" + gcra.burst());
        } else {
            out.append(UNLIMITED);
        }
        return out.append(limit.name().isEmpty() ? "" : " name=" + limit.name()).toString();
    }

    private static void start(StringBuilder out, String algorithm, Limit limit) {
        out.append(algorithm).append(' ').append(limit.permits()).append('/').append(written(limit.windowNanos()));
    }

    private static String written(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** The largest unit that divides: 60 s is {@code 1m}, 90 s is {@code 90s}. */
    static String written(long nanos) {
        for (String unit : UNITS_DOWN) {
            long length = UNITS.getOrDefault(unit, 1L);
            if (nanos % length == 0) {
                return nanos / length + unit;
            }
        }
        throw new AssertionError("every length is a multiple of 1 ns");
    }
}
