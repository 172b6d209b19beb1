package dev.weir.stress.soak;

import java.time.Duration;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** A run's outcome as a short text. */
final class Report {
    private static final double MEGA = 1 << 20;
    private static final double NANOS_A_SECOND = 1e9;

    private final StringBuilder text = new StringBuilder();

    private Report() {}

    /** The text; the last line says whether all is well. */
    static String of(Options options, Outcome outcome) {
        Report report = new Report();
        report.write(options, outcome);
        return report.text.toString();
    }

    private void write(Options options, Outcome outcome) {
        Counts counts = outcome.counts();
        Histogram latencies = outcome.latencies();
        double seconds = seconds(outcome.deciding());
        line(
                "run",
                "%.0f s, %d threads, %,d keys at a time, heap of %.0f MB, JDK %s",
                seconds(outcome.took()),
                options.threads(),
                options.keys(),
                Runtime.getRuntime().maxMemory() / MEGA,
                Runtime.version().feature());
        line(
                "decisions",
                "%,d in %.0f s, %,.0f a second; the other %.0f s went into checking and rests",
                counts.decisions(),
                seconds,
                counts.decisions() / seconds,
                seconds(outcome.took()) - seconds);
        line("  admitted", "%,d, of which %,d to wait", counts.admitted, counts.waiting);
        line("  denied", "%,d", counts.denied);
        line("  two keys together", "%,d", counts.joint);
        line("given back", "%,d", counts.givenBack);
        line("resets", "%,d", counts.resets);
        line("peeks", "%,d", counts.peeks);
        line("changes of limits", "%,d", outcome.changes());
        line("keys", "%,d seen, at most %,d in the store at once", outcome.keysSeen(), outcome.mostKeys());
        line(
                "time of a decision",
                "p50 %s, p99 %s, p99.9 %s, max %s",
                micros(latencies.getValueAtPercentile(50)),
                micros(latencies.getValueAtPercentile(99)),
                micros(latencies.getValueAtPercentile(99.9)),
                micros(latencies.getMaxValue()));
        line("heap after collection", "%s", heap(outcome.heap()));
        line("checked", "%,d admissions in a log, and %,d denials", counts.admissionsChecked, counts.denialsChecked);
        line("violations", "%,d", outcome.findings().count());
        for (Violation violation : outcome.findings().first()) {
            text.append("  ").append(violation).append('\n');
        }
    }

    private void line(String what, String format, Object... values) {
        text.append(String.format(Locale.ROOT, "%-22s ", what))
                .append(String.format(Locale.ROOT, format, values))
                .append('\n');
    }

    private static String heap(HeapMarks marks) {
        if (!marks.canTell()) {
            return "too short a run to tell";
        }
        return String.format(
                Locale.ROOT,
                "at rest %.1f MB after a third of the run, %.1f MB at its end: %s; at most %.1f MB while deciding",
                marks.first() / MEGA,
                marks.last() / MEGA,
                marks.isFlat() ? "flat" : "it grows",
                marks.most() / MEGA);
    }

    private static String micros(long nanos) {
        double micros = nanos / 1e3;
        return micros < 10_000
                ? String.format(Locale.ROOT, "%,.1f us", micros)
                : String.format(Locale.ROOT, "%,.1f ms", micros / 1e3);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_A_SECOND;
    }
}
