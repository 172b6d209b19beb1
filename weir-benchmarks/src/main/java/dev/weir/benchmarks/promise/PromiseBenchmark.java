package dev.weir.benchmarks.promise;

import dev.weir.benchmarks.promise.Examination.Finding;
import dev.weir.benchmarks.redis.RemoteClient;
import dev.weir.benchmarks.report.Benchmark;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.redis.RedisStore;
import dev.weir.testing.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Gives all limiters the same traffic under the same limit, 100 per minute, and counts what each of them grants.
 *
 * @param log the log of the first traffic
 */
public record PromiseBenchmark(Path log, Effort effort, Progress progress) implements Benchmark {
    @Override
    public Report run(String header) {
        int rounds = effort.of(0, 1, 3); // in real time; 0 leaves out the limiters that need it
        Traffic ofLog = FailedMeasureException.result("cannot use the log " + log, () -> Traffic.log(log));
        List<Traffic> traffic = List.of(ofLog, Traffic.scan(), Traffic.fullDemand());
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

    /** Adds the results of the limiters on a server. Returns its version, for the header. */
    private String remote(List<Traffic> traffic, int rounds, List<Result> results) {
        try (RedisServer server = RedisServer.start();
                RemoteClient redisson = RemoteClient.redisson(server.uri());
                RemoteClient weir = RemoteClient.weir(RedisStore.builder(server.uri()))) {
            for (Traffic each : traffic) {
                List<Finding> ofRedisson = new ArrayList<>();
                List<Finding> ofWeir = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                    progress.next("Redisson and Weir on Redis in real time: " + each.name());
                    String prefix = "round-" + round + "-" + each.name().replace(' ', '-');
                    List<String> keys = RemoteClient.keys(prefix, each.clients());
                    IntPredicate theirs = redisson.limiter(Player.LIMIT_IN_REAL_TIME, keys)::acquire;
                    IntPredicate ours = weir.limiter(Player.LIMIT_IN_REAL_TIME, keys)::acquire;
                    List<Finding> findings = Player.inRealTime(each, List.of(theirs, ours));
                    ofRedisson.add(findings.get(0));
                    ofWeir.add(findings.get(1));
                }
                results.add(new Result(Subject.REDISSON, each.name(), ofRedisson));
                results.add(new Result(Subject.WEIR_ON_REDIS, each.name(), ofWeir));
            }
            return "; Redis " + server.info("server", "redis_version");
        }
    }
}
