package dev.weir.benchmarks.server;

import dev.weir.Limit;
import dev.weir.benchmarks.promise.Examination;
import dev.weir.benchmarks.promise.Examination.Finding;
import dev.weir.benchmarks.report.Benchmark;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.benchmarks.report.Table;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Sends a million keys a minute that are never seen again to a server in memory with a small heap, and between them requests for
 * known keys, whose decisions it checks.
 */
public final class RandomKeysBenchmark implements Benchmark {
    private static final int KNOWN_PER_MINUTE = 2 * Messages.KNOWN_PERMITS * Messages.KEYS;
    private static final Limit KNOWN_LIMIT = Limit.slidingLog(Messages.KNOWN_PERMITS, Duration.ofMinutes(1));
    private static final long TICK_NANOS = 2_000_000; // a grant may count for a millisecond longer
    private static final double NANOS_PER_MINUTE = 60e9;
    private static final double BYTES_PER_MEGABYTE = 1 << 20;

    private final Effort effort;
    private final int seconds;
    private final int keysPerMinute;
    private final Progress progress;
    private final SplittableRandom random = new SplittableRandom();
    private final Examination known = new Examination(KNOWN_LIMIT, 0, TICK_NANOS);
    private final byte[][] knownMessages = Messages.ofEachKey("known");
    private int nextKnown;
    private double knownDue;
    private int calls;
    private int failed;
    private int randomDenied;

    /** Prepares a measurement. */
    public RandomKeysBenchmark(Effort effort, Progress progress) {
        this.effort = effort;
        this.seconds = effort.of(2, 60, 300);
        this.keysPerMinute = effort.of(1_000, 1_000_000, 1_000_000);
        this.progress = progress;
    }

    @Override
    public Report run(String header) throws IOException {
        progress.begin(1, "turn");
        progress.next("random keys");
        double interval = NANOS_PER_MINUTE / (KNOWN_PER_MINUTE + keysPerMinute);
        calls = (int) (TimeUnit.SECONDS.toNanos(seconds) / interval);
        try (MeasuredServer server = new MeasuredServer(effort)) {
            long start = System.nanoTime();
            try (Connection connection = new Connection(server.port(ServerProcess.MEMORY), false)) {
                Load.open(connection, start, calls, interval, call -> send(connection));
            }
            Table table = table(server.liveBytes());
            return new Report(List.of(), new Section("random-keys", header + "; " + server.cores + "\n\n" + table));
        }
    }

    /** Sends the next call: for a known key as often as its share is. */
    private void send(Connection connection) throws IOException {
        knownDue += (double) KNOWN_PER_MINUTE / (KNOWN_PER_MINUTE + keysPerMinute);
        if (knownDue < 1) {
            connection.send(Messages.of(Long.toHexString(random.nextLong()), "random"), code -> {
                failed += code == Code.UNKNOWN_VALUE ? 1 : 0;
                randomDenied += code == Code.OVER_LIMIT_VALUE ? 1 : 0;
            });
            return;
        }
        knownDue--;
        int key = nextKnown;
        nextKnown = (nextKnown + 1) % Messages.KEYS;
        long sent = System.nanoTime();
        connection.send(knownMessages[key], code -> {
            if (code == Code.UNKNOWN_VALUE) {
                failed++;
            } else {
                long answer = code == Code.OK_VALUE ? 0 : Examination.DENIED;
                known.add(key, sent, System.nanoTime(), answer);
            }
        });
    }

    private Table table(long liveBytes) {
        Finding finding = known.finding();
        long tooMany = Math.max(0, finding.worstWindow() - Messages.KNOWN_PERMITS);
        Table table = new Table(List.of("random keys", keysPerMinute + " a minute"));
        table.add(List.of("seconds", Integer.toString(seconds)));
        table.add(List.of("calls", number(calls)));
        table.add(List.of("failed calls", number(failed)));
        table.add(List.of("denied random keys", number(randomDenied)));
        table.add(List.of("decisions on " + Messages.KEYS + " known keys", number(finding.requests())));
        table.add(List.of("wrong decisions on them", number(finding.wronglyDenied() + tooMany)));
        table.add(List.of("live objects at the end, MB", number(Math.round(liveBytes / BYTES_PER_MEGABYTE))));
        return table;
    }

    private static String number(long figure) {
        return String.format(Locale.ROOT, "%,d", figure);
    }
}
