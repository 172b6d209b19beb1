package dev.weir.stress.soak;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/** The outcome of a run as a short text; its last lines are the violations. */
final class Report {
    private static final double MEGA = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    private static final int SHOWN = 5; // violations

    private final Formatter text = new Formatter(Locale.ROOT);
    private final List<Caller> callers;

    Report(Soak.Options options, Rounds run) {
        callers = run.callers;
        double took = run.took / NANOS_PER_SECOND;
        double seconds = run.deciding / NANOS_PER_SECOND;
        long decisions = sum(caller -> caller.admitted + caller.denied);
        line(
                "run",
                "%.0f s, %d threads, %,d keys at a time, heap of %.0f MB, JDK %s",
                took,
                options.threads(),
                options.keys(),
                Runtime.getRuntime().maxMemory() / MEGA,
                Runtime.version().feature());
        line(
                "decisions",
                "%,d in %.0f s, %,.0f a second; the other %.0f s went into checks and rests",
                decisions,
                seconds,
                decisions / seconds,
                took - seconds);
        line(
                "  admitted",
                "%,d, of which %,d had to wait",
                sum(caller -> caller.admitted),
                sum(caller -> caller.waiting));
        line("  denied", "%,d", sum(caller -> caller.denied));
        line("  two keys together", "%,d", sum(caller -> caller.joint));
        line("refunds", "%,d", sum(caller -> caller.refunds));
        line("resets", "%,d", sum(caller -> caller.resets));
        line("peeks", "%,d", sum(caller -> caller.peeks));
        line("changes of limits", "%,d", run.changes);
        line("keys", "%,d requested, at most %,d in the store at once", run.population.requested(), run.mostKeys);
        Histogram latencies = new Histogram(3);
        callers.forEach(caller -> latencies.add(caller.latencies));
        Object[] times = DoubleStream.of(50, 99, 99.9, 100)
                .mapToLong(latencies::getValueAtPercentile)
                .mapToObj(Report::micros)
                .toArray();
        line("time of a decision", "p50 %s, p99 %s, p99.9 %s, max %s", times);
        line("heap after collection", "%s", run.heap);
        line(
                "checked",
                "%,d admissions in a log, and %,d denials; %,d admissions overlapped other calls too much to be checked",
                sum(caller -> caller.admissionsRecorded) - run.undecided.sum(),
                sum(caller -> caller.denialsChecked),
                run.undecided.sum());
        line("violations", "%,d", run.violations.size());
        run.violations.stream().limit(SHOWN).forEach(each -> text.format("  %s%n", each));
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private long sum(ToLongFunction<Caller> count) {
        return callers.stream().mapToLong(count).sum();
    }

    private void line(String what, String format, Object... values) {
        text.format("%-22s ", what).format(format + "%n", values);
    }

    private static String micros(long nanos) {
        double micros = nanos / 1e3;
        return micros < 10_000
                ? String.format(Locale.ROOT, "%,.1f us", micros)
                : String.format(Locale.ROOT, "%,.1f ms", micros / 1e3);
    }
}
