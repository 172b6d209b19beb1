package dev.weir.examples.payments;

import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Predicate;

/** What a run shows. */
final class Report {
    private static final double[] PERCENTILES = {0.5, 0.99, 1};

    private Report() {}

    /** Returns {@code {"providers":[{"name":"alpha","calls":6000,"status429":0,"use":0.98}]}}. */
    static String json(List<Provider.Counts> providers) {
        StringJoiner list = new StringJoiner(",", "{\"providers\":[", "]}");
        for (Provider.Counts counts : providers) {
            list.add(String.format(
                    Locale.ROOT,
                    "{\"name\":\"%s\",\"calls\":%d,\"status429\":%d,\"use\":%.4f}",
                    counts.name(),
                    counts.calls(),
                    counts.rejected(),
                    counts.use()));
        }
        return list.toString();
    }

    /** Returns a table with a line for each provider. The calls per worker are those of processes without faults. */
    static String table(List<Provider.Counts> providers, Predicate<String> withoutFault) {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%-18s %8s %6s %8s %24s %24s%n",
                "provider",
                "calls",
                "429s",
                "use",
                "wait p50, p99, max (ms)",
                "calls per worker"));
        for (Provider.Counts counts : providers) {
            StringJoiner waits = new StringJoiner(", ");
            for (double percentile : PERCENTILES) {
                waits.add(Integer.toString(counts.waitMillis(percentile)));
            }
            table.append(String.format(
                    Locale.ROOT,
                    "%-18s %,8d %6d %6.2f %% %24s %24s%n",
                    counts.name() + " " + counts.permits() + "/s",
                    counts.calls(),
                    counts.rejected(),
                    100 * counts.use(),
                    waits,
                    fairness(counts.callsByWorker(), withoutFault)));
        }
        return table.toString();
    }

    private static String fairness(Map<String, Long> calls, Predicate<String> withoutFault) {
        LongSummaryStatistics each = calls.entrySet().stream()
                .filter(worker -> withoutFault.test(worker.getKey()))
                .mapToLong(Map.Entry::getValue)
                .summaryStatistics();
        return String.format(Locale.ROOT, "%,d to %,d", each.getMin(), each.getMax());
    }
}
