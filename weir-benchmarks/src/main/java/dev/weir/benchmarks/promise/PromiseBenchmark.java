package dev.weir.benchmarks.promise;

import dev.weir.benchmarks.promise.Examination.Finding;
import dev.weir.benchmarks.redis.RemoteClient;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.redis.RedisStore;
import dev.weir.testing.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives all limiters the same traffic under the same limit, 100 per minute, and counts what each of them grants.
 *
 * @param log the log of the first traffic
 */
public record PromiseBenchmark(Path log, Effort effort, Progress progress) {
    /**
     * Plays everything, and reports it under a header.
     *
     * @throws FailedMeasureException if the log cannot be used or the server not be started
     */
    public Report run(String header) {
        int rounds = effort.of(0, 1, 3); // in real time; 0 leaves out the limiters that need it
        List<Traffic> traffic = List.of(readLog(), Traffic.scan(), Traffic.fullDemand());
        progress.begin(Subject.inMemory().size() + traffic.size() * rounds, "turns");
        List<Result> results = new ArrayList<>();
        for (Subject subject : Subject.inMemory()) {
            progress.next(subject.title);
            for (Traffic each : traffic) {
                Finding finding = Player.inVirtualTime(each, subject::make);
                results.add(new Result(subject, each.name(), List.of(finding)));
            }
        }
        String server = rounds == 0 ? "" : remote(traffic, rounds, results);
        return new PromiseReport(traffic, results).of(header + server);
    }

    private Traffic readLog() {
        try {
            return Traffic.log(log);
        } catch (IOException unreadable) {
            throw new FailedMeasureException("cannot use the log " + log + ": " + unreadable.getMessage(), unreadable);
        }
    }

    /** Adds the results of the limiters on a server. Returns its version, for the header. */
    private String remote(List<Traffic> traffic, int rounds, List<Result> results) {
        try (RedisServer server = RedisServer.start();
                RemoteClient redisson = RemoteClient.redisson(server.uri());
                RemoteClient weir = RemoteClient.weir(RedisStore.builder(server.uri()))) {
            for (Traffic each : traffic) {
                List<List<Finding>> findings = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                    progress.next("Redisson and Weir on Redis in real time: " + each.name());
                    String prefix = "round-" + round + "-" + each.name().replace(' ', '-');
                    List<String> keys = RemoteClient.keys(prefix, each.clients());
                    findings.add(Player.inRealTime(
                            each,
                            List.of(
                                    redisson.limiter(Player.LIMIT_IN_REAL_TIME, keys)::acquire,
                                    weir.limiter(Player.LIMIT_IN_REAL_TIME, keys)::acquire)));
                }
                results.add(result(Subject.REDISSON, each, findings, 0));
                results.add(result(Subject.WEIR_ON_REDIS, each, findings, 1));
            }
            return "; Redis " + server.info("server", "redis_version");
        }
    }

    private static Result result(Subject subject, Traffic traffic, List<List<Finding>> rounds, int position) {
        return new Result(
                subject,
                traffic.name(),
                rounds.stream().map(round -> round.get(position)).toList());
    }
}
