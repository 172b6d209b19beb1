package dev.weir.benchmarks.report;

import dev.weir.benchmarks.run.Spread;
import java.util.Locale;

/** What a figure counts, and how it is written. */
public enum Unit {
    /** Nanoseconds. */
    NANOS("ns"),
    /** Microseconds. */
    MICROS("µs"),
    /** Bytes. */
    BYTES("B"),
    /** Decisions a second. */
    PER_SECOND("/s"),
    /** Millions of decisions a second. */
    MILLIONS("M/s"),
    /** Calls of the server. */
    CALLS("calls");

    private static final double FEW = 10;
    private static final double SOME = 100;
    private static final double SAME = 0.05;

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    /** The middle with its unit, and how far the figures spread if they do: {@code 38.2 ns (37.9–40.1)}. */
    String text(Spread spread) {
        String middle = number(spread.median()) + " " + symbol;
        boolean spreads = spread.most() - spread.least() >= SAME;
        return spreads ? middle + " (" + number(spread.least()) + "–" + number(spread.most()) + ")" : middle;
    }

    /** A figure, with the more decimals the smaller it is. */
    static String number(double figure) {
        if (figure >= SOME) {
            return String.format(Locale.ROOT, "%,.0f", figure);
        }
        return String.format(Locale.ROOT, figure < FEW ? "%.2f" : "%.1f", figure);
    }

    /** A ratio with two decimals. */
    static String ratio(double ratio) {
        return decimals(ratio, 2);
    }

    /** A ratio with so many decimals. */
    static String decimals(double ratio, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", ratio);
    }
}
