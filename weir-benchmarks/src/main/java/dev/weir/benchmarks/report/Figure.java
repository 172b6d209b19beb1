package dev.weir.benchmarks.report;

import dev.weir.benchmarks.run.Measure.Spread;
import java.util.Locale;

/** Figures as text. */
final class Figure {
    private static final double FEW = 10;
    private static final double SOME = 100;
    private static final double SAME = 0.05;

    private Figure() {}

    /** The median with its unit, and the spread if there is one: {@code 38.2 ns (37.9–40.1)}. */
    static String text(Spread spread, String unit) {
        boolean spreads = spread.most() - spread.least() >= SAME;
        return number(spread.median()) + " " + unit + (spreads ? range(spread) : "");
    }

    static String text(Spread spread) {
        return number(spread.median()) + range(spread);
    }

    private static String range(Spread spread) {
        return spread.most() == spread.least() ? "" : " (" + number(spread.least()) + "–" + number(spread.most()) + ")";
    }

    /** A figure, with the more decimals the smaller it is. */
    static String number(double figure) {
        if (figure >= SOME) {
            return String.format(Locale.ROOT, "%,.0f", figure);
        }
        return String.format(Locale.ROOT, figure < FEW ? "%.2f" : "%.1f", figure);
    }

    static String decimals(double ratio, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", ratio);
    }
}
