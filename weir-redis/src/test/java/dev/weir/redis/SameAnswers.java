package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.KeySnapshot.Fit;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.KeySnapshot.Run;
import dev.weir.Status;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Assertions that an answer of the server, in microseconds, equals that of memory, in nanoseconds. */
final class SameAnswers {
    private SameAnswers() {}

    /**
     * Compares each field of two decisions.
     *
     * @param scaled the limits on the server
     * @param lag by how far the server's clock is behind the key's time; waits count from the clock, in memory from that time
     * @param place what a failure names; its text is built only then
     */
    static void assertSame(Decision there, Decision here, ScaledLimits scaled, long lag, Object place) {
        assertThat(there.allowed()).as("allowed, %s", place).isEqualTo(here.allowed());
        assertThat(there.blocked()).as("blocked, %s", place).isEqualTo(here.blocked());
        assertThat(there.limit()).as("limit, %s", place).isEqualTo(scaled.of(here.limit()));
        assertThat(there.remaining()).as("remaining, %s", place).isEqualTo(here.remaining());
        long waitLag = here.waitNanos() > 0 ? lag : 0;
        assertThat(there.waitNanos()).as("wait, %s", place).isEqualTo(micros(here.waitNanos(), waitLag));
        assertThat(there.retryAfterNanos())
                .as("retry, %s", place)
                .isEqualTo(micros(here.retryAfterNanos(), here.allowed() ? 0 : lag));
        assertThat(there.resetAfterNanos()).as("reset, %s", place).isEqualTo(micros(here.resetAfterNanos(), lag));
        long timeLag = here.allowed() ? waitLag : lag;
        assertThat(there.timeNanos()).as("time, %s", place).isEqualTo(1_000 * (here.timeNanos() - timeLag));
        assertThat(there.statuses())
                .as("statuses, %s", place)
                .isEqualTo(here.statuses().stream()
                        .map(each -> scaled(each, scaled, lag, here.statuses().size() == 1 && !here.allowed()))
                        .toList());
    }

    private static Status scaled(Status here, ScaledLimits scaled, long lag, boolean repeatsTheDenial) {
        boolean lags = repeatsTheDenial || here.retryAfterNanos() > 0;
        return new Status(
                here.request(),
                scaled.of(here.limit()),
                here.remaining(),
                micros(here.retryAfterNanos(), lags ? lag : 0),
                micros(here.resetAfterNanos(), lag));
    }

    private static long micros(long units, long lag) {
        return units == Long.MAX_VALUE ? units : (units + lag) * 1_000;
    }

    /** Compares each field of two snapshots. */
    static void assertSame(KeySnapshot there, KeySnapshot here, Object place) {
        assertThat(there.time()).as("time, %s", place).isEqualTo(scaled(here.time()));
        assertThat(there.blockedUntil())
                .as("block, %s", place)
                .isEqualTo(here.blockedUntil().map(SameAnswers::scaled));
        assertThat(there.limits())
                .as("limits, %s", place)
                .isEqualTo(here.limits().stream().map(SameAnswers::scaled).toList());
    }

    private static LimitSnapshot scaled(LimitSnapshot here) {
        return new LimitSnapshot(
                RandomLimits.scaled(here.limit()),
                here.remaining(),
                scaled(here.runs()),
                scaled(here.pending()),
                here.truncated(),
                here.fits().stream()
                        .map(fit -> new Fit(fit.permits(), scaled(fit.at())))
                        .toList());
    }

    private static List<Run> scaled(List<Run> runs) {
        return runs.stream()
                .map(run -> new Run(scaled(run.at()), run.permits()))
                .toList();
    }

    private static @Nullable Instant scaled(@Nullable Instant here) {
        return here == null
                ? null
                : Instant.ofEpochSecond(0, 1_000 * (here.getEpochSecond() * 1_000_000_000 + here.getNano()));
    }
}
