package dev.weir.server.http;

import dev.weir.Accounting;
import dev.weir.KeySnapshot;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.KeySnapshot.Run;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;

/** The log of a key as a trace, which {@code weir verify} reads. */
final class KeyTrace {
    /** The media type of a trace. */
    static final String CSV = "text/csv; charset=utf-8";

    private KeyTrace() {}

    /**
     * Returns the log of the limit with the longest window.
     *
     * @throws HttpProblem if it has attempts: it is not known which of them were granted
     */
    static String of(KeySnapshot state, String key) {
        StringBuilder csv = new StringBuilder("time_nanos,key,permits,allowed\n");
        String quoted = "\"" + key.replace("\"", "\"\"") + "\"";
        state.limits().stream()
                .max(Comparator.comparingLong(limit -> limit.limit().windowNanos()))
                .ifPresent(longest -> {
                    check(longest);
                    longest.runs()
                            .forEach(run -> csv.append(nanos(run))
                                    .append(',')
                                    .append(quoted)
                                    .append(',')
                                    .append(run.permits())
                                    .append(",1\n"));
                });
        return csv.toString();
    }

    private static void check(LimitSnapshot log) {
        if (log.limit().accounting().method() == Accounting.Method.LOG_OF_ATTEMPTS) {
            throw new HttpProblem(
                    409, "the log of '" + log.limit() + "' has attempts, so it does not say what was granted");
        }
    }

    private static long nanos(Run run) {
        return ChronoUnit.NANOS.between(Instant.EPOCH, run.at());
    }
}
