package dev.weir.replay.report;

import dev.weir.Limit;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Numbers, shares, durations and limits as text for people. */
final class Words {
    static final String NBSP = "\u00a0"; // no-break space

    private static final DecimalFormatSymbols SYMBOLS = DecimalFormatSymbols.getInstance(Locale.ROOT);
    private static final long SECOND = 1_000_000_000;
    private static final List<Unit> UNITS = List.of(
            new Unit(24 * 3600 * SECOND, "d", "day"),
            new Unit(3600 * SECOND, "h", "hour"),
            new Unit(60 * SECOND, "min", "minute"),
            new Unit(SECOND, "s", "second"),
            new Unit(1_000_000, "ms", "millisecond"),
            new Unit(1_000, "µs", "microsecond"),
            new Unit(1, "ns", "nanosecond"));

    private Words() {}

    /** A unit of time. */
    private record Unit(long nanos, String symbol, String name) {}

    static String number(long value) {
        return new DecimalFormat("#,##0", SYMBOLS).format(value);
    }

    /** Returns the number and the noun, with an s unless the number is 1. */
    static String count(long value, String one, String many) {
        return number(value) + " " + (value == 1 ? one : many);
    }

    /** Returns a share in percent: two decimals below 1 %, else one. Only nothing is 0 %, and only all is 100 %. */
    static String percent(long part, long whole) {
        double share = 100.0 * part / whole;
        if (part == 0 || part == whole) {
            return (part == 0 ? "0" : "100") + NBSP + "%";
        } else if (share < 0.01) {
            return "<0.01" + NBSP + "%";
        } else if (share > 99.9) {
            return ">99.9" + NBSP + "%";
        }
        return new DecimalFormat(share < 1 ? "0.00" : "0.0", SYMBOLS).format(share) + NBSP + "%";
    }

    /** Returns a share in percent, with at most one decimal. */
    static String share(long perMille) {
        return new DecimalFormat("0.#", SYMBOLS).format(perMille / 10.0) + NBSP + "%";
    }

    /** Returns a duration in the largest unit that divides it: {@code 10 s}, {@code 1 min}. */
    static String duration(long nanos) {
        Unit unit = unit(nanos);
        return number(nanos / unit.nanos) + NBSP + unit.symbol;
    }

    /** Returns a duration after "in any" or "per": {@code 10 s}, {@code minute}. */
    static String per(long nanos) {
        Unit unit = unit(nanos);
        return nanos == unit.nanos ? unit.name : duration(nanos);
    }

    /** Returns a duration with an article where there is no number: {@code 10 s}, {@code a minute}. */
    static String spell(long nanos) {
        Unit unit = unit(nanos);
        return nanos != unit.nanos ? duration(nanos) : (unit.name.equals("hour") ? "an " : "a ") + unit.name;
    }

    private static Unit unit(long nanos) {
        return UNITS.stream()
                .filter(unit -> nanos % unit.nanos == 0)
                .findFirst()
                .orElseThrow();
    }

    /** Returns the algorithm of a limit. */
    static String algorithm(Limit limit) {
        return limit.toString().split(" ", 2)[0];
    }

    /** Returns the text of a limit without its algorithm. */
    static String rate(Limit limit) {
        String text = limit.toString();
        return text.indexOf(' ') < 0 ? "" : text.substring(text.indexOf(' ') + 1);
    }

    /** Limits for narrow columns, such as {@code log 5}, or {@code log 5/1s} if another one would look the same. */
    static List<String> brief(List<Limit> limits) {
        List<String> brief = limits.stream().map(Words::permits).toList();
        return IntStream.range(0, limits.size())
                .mapToObj(i -> Collections.frequency(brief, brief.get(i)) == 1
                        ? brief.get(i)
                        : (name(limits.get(i)) + " " + rate(limits.get(i))).strip())
                .toList();
    }

    private static String permits(Limit limit) {
        return rate(limit).isEmpty() ? name(limit) : name(limit) + NBSP + number(limit.permits());
    }

    private static String name(Limit limit) {
        return switch (algorithm(limit)) {
            case "sliding-log" -> "log";
            case "sliding-window" -> "window";
            case "fixed-window" -> "fixed";
            case "token-bucket" -> "bucket";
            case "leaky-bucket" -> "leaky";
            default -> algorithm(limit);
        };
    }

    /** Returns a limit as an element, with the algorithm in bold. */
    static Markup limit(Limit limit) {
        return Markup.text(algorithm(limit)).in("b", "").then(" " + rate(limit)).in("span", "lim");
    }
}
