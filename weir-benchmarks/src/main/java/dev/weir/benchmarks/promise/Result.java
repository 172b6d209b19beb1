package dev.weir.benchmarks.promise;

import dev.weir.benchmarks.promise.Examination.Finding;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What one limiter did with one kind of traffic.
 *
 * @param subject the limiter
 * @param traffic the name of the traffic
 * @param rounds the findings, one in virtual time, where all rounds are the same, otherwise one for each round
 */
record Result(Subject subject, String traffic, List<Finding> rounds) {

    /** Returns the largest worst window. */
    long worstWindow() {
        return rounds.stream().mapToLong(Finding::worstWindow).max().orElseThrow();
    }

    /** Returns a figure of all rounds: one number, or the least and the most. */
    String range(String format, ToDoubleFunction<Finding> figure) {
        double least = rounds.stream().mapToDouble(figure).min().orElseThrow();
        double most = rounds.stream().mapToDouble(figure).max().orElseThrow();
        String from = String.format(Locale.ROOT, format, least);
        String to = String.format(Locale.ROOT, format, most);
        return from.equals(to) ? from : from + "–" + to;
    }

    /** Returns the use of the limit. */
    String use() {
        return range("%.1f", Finding::use) + " %";
    }

    /** Returns the number of requests that were denied although the limit was not reached. */
    String wronglyDenied() {
        return range("%,.0f", Finding::wronglyDenied);
    }
}
