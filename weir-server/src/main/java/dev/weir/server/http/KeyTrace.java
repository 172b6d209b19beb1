package dev.weir.server.http;

import dev.weir.Accounting;
import dev.weir.KeySnapshot;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.KeySnapshot.Run;
import dev.weir.server.live.RuleId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;

/** The log of a key as a trace, which {@code weir verify} reads. */
final class KeyTrace {
    /** The media type of a trace. */
    static final String CSV = "text/csv; charset=utf-8";

    private KeyTrace() {}

    /**
     * Returns the log of the limit with the longest window, of those that keep a log.
     *
     * @throws HttpProblem if there is none, or if it has attempts: it is not known which of them were granted
     */
    static String of(RuleId rule, KeySnapshot state, String key) {
        LimitSnapshot traced = state.limits().stream()
                .filter(limit -> !rule.denies() && LimitReport.hasLog(limit.limit()))
                .max(Comparator.comparingLong(limit -> limit.limit().windowNanos()))
                .orElseThrow(() -> new HttpProblem(409, "no limit of this key has a log"));
        if (traced.limit().accounting().method() == Accounting.Method.LOG_OF_ATTEMPTS) {
            throw new HttpProblem(
                    409, "the log of '" + traced.limit() + "' has attempts, so it does not say what was granted");
        }
        StringBuilder csv = new StringBuilder("time_nanos,key,permits,allowed\n");
        String quoted = "\"" + key.replace("\"", "\"\"") + "\"";
        for (Run run : traced.runs()) {
            csv.append(ChronoUnit.NANOS.between(Instant.EPOCH, run.at()))
                    .append(',')
                    .append(quoted)
                    .append(',')
                    .append(run.permits())
                    .append(",1\n");
        }
        return csv.toString();
    }
}
