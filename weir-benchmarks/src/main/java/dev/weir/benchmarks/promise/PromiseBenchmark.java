package dev.weir.benchmarks.promise;

import dev.weir.benchmarks.promise.Examination.Finding;
import dev.weir.benchmarks.redis.RemoteGroup;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Gives all limiters the same traffic under the same limit, 100 per minute, and counts what each of them grants. */
public final class PromiseBenchmark {
    /** In the order of {@link RemoteGroup#limiters}. */
    private static final List<Label> REMOTE = List.of(
            new Label(
                    "Redisson",
                    Library.REDISSON,
                    "getRateLimiter(key).trySetRate(RateType.OVERALL, 100, Duration.ofMinutes(1))",
                    "real time, 60 times as fast: 100 per second"),
            new Label(
                    "Weir on Redis, 100/1m",
                    Library.WEIR,
                    "Limit.parse(\"100/1m\"), RedisStore.connect(uri)",
                    "real time, 60 times as fast: 100 per second"));

    private final Path log;
    private final int rounds;
    private final Progress progress;

    /**
     * Prepares a comparison.
     *
     * @param log the log of the first traffic
     * @param rounds the number of rounds in real time; 0 leaves out the limiters that need it
     */
    public PromiseBenchmark(Path log, int rounds, Progress progress) {
        this.log = log;
        this.rounds = rounds;
        this.progress = progress;
    }

    /**
     * Plays everything, and reports it under a header.
     *
     * @throws FailedMeasureException if the log cannot be used or the server not be started
     */
    public Report run(String header) {
        List<Traffic> traffic = List.of(readLog(), Traffic.scan(), Traffic.fullDemand());
        progress.begin(Contestant.values().length + traffic.size() * rounds, "turns");
        List<Result> results = new ArrayList<>();
        for (Contestant contestant : Contestant.values()) {
            progress.next(contestant.label().title());
            for (Traffic each : traffic) {
                Finding finding = VirtualTime.play(each, contestant::make);
                results.add(new Result(contestant.label(), each.name(), List.of(finding)));
            }
        }
        String server = rounds == 0 ? "" : remote(traffic, results);
        progress.show("");
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
    private String remote(List<Traffic> traffic, List<Result> results) {
        List<List<List<Finding>>> all = new ArrayList<>(); // by traffic, round and member
        try (RemoteGroup group = new RemoteGroup()) {
            for (Traffic each : traffic) {
                List<List<Finding>> ofTraffic = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                    progress.next("Redisson and Weir on Redis in real time: " + each.name());
                    String keys = "round-" + round + "-" + each.name().replace(' ', '-') + "-";
                    List<IntPredicate> limiters = group.limiters(
                            RealTime.limit(),
                            IntStream.range(0, each.clients())
                                    .mapToObj(client -> keys + client)
                                    .toList());
                    ofTraffic.add(RealTime.play(each, limiters));
                }
                all.add(ofTraffic);
            }
            for (int member = 0; member < REMOTE.size(); member++) {
                for (int i = 0; i < traffic.size(); i++) {
                    int its = member;
                    List<Finding> ofMember =
                            all.get(i).stream().map(round -> round.get(its)).toList();
                    results.add(new Result(REMOTE.get(member), traffic.get(i).name(), ofMember));
                }
            }
            return "; Redis " + group.serverVersion();
        }
    }
}
