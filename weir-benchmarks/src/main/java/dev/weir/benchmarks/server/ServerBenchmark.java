package dev.weir.benchmarks.server;

import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.Goal;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.benchmarks.report.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Measures what the server leaves of the throughput of its framework, and how long its answers take. The server and the empty
 * handlers are in one JVM and take turns, so that a machine that gets slower or faster does it to all of them alike.
 */
public final class ServerBenchmark {
    private static final int CALLS = 64;
    private static final int CALLS_ON_REDIS = 256;
    private static final int WARM_ROUNDS = 3;

    private final ServerEffort effort;
    private final Progress progress;

    /** Prepares a measurement. */
    public ServerBenchmark(ServerEffort effort, Progress progress) {
        this.effort = effort;
        this.progress = progress;
    }

    /** What is measured with many calls in flight. */
    private enum Contestant {
        EMPTY("an empty handler"),
        MEMORY("decisions a second, in memory"),
        EMPTY_LATER("an empty handler that answers later"),
        REDIS("decisions a second, on Redis, 1,000 keys"),
        REDIS_TWO("requests a second with two descriptors, on Redis"),
        REDIS_CANDIDATE("requests a second with a candidate, on Redis");

        private final String title;

        Contestant(String title) {
            this.title = title;
        }

        private double perSecond(MeasuredServer server, int millis) throws IOException {
            return switch (this) {
                case EMPTY -> Load.closed(server.empty(), Messages.ofEachKey("user"), CALLS, millis);
                case MEMORY -> Load.closed(server.inMemory(), Messages.ofEachKey("user"), CALLS, millis);
                case EMPTY_LATER ->
                    Load.closed(server.emptyLater(), Messages.ofEachKey("user"), CALLS_ON_REDIS, millis);
                case REDIS -> Load.closed(server.onRedis(), Messages.ofEachKey("user"), CALLS_ON_REDIS, millis);
                case REDIS_TWO ->
                    Load.closed(server.onRedis(), Messages.ofEachKey("user", "path"), CALLS_ON_REDIS, millis);
                case REDIS_CANDIDATE ->
                    Load.closed(server.onRedis(), Messages.ofEachKey("tried"), CALLS_ON_REDIS, millis);
            };
        }
    }

    /**
     * Measures, and reports under a header.
     *
     * @throws FailedMeasureException if a call fails, or the server cannot be started
     */
    public Report run(String header) {
        progress.begin((WARM_ROUNDS + effort.rounds) * Contestant.values().length + 1 + effort.latencyRuns, "turns");
        String cores = MeasuredServer.cores(effort); // before the load is pinned
        try (MeasuredServer server = MeasuredServer.start(effort)) {
            Map<Contestant, List<Double>> figures = throughput(server);
            double half = spread(figures, Contestant.MEMORY).median() / 2;
            List<Goal> goals = List.of(
                    compared(figures, Contestant.MEMORY, Contestant.EMPTY, 0.88, 0.95),
                    compared(figures, Contestant.REDIS, Contestant.EMPTY_LATER, 0.5, 0.8),
                    compared(figures, Contestant.REDIS_TWO, Contestant.REDIS, 0.5, 0.7),
                    compared(figures, Contestant.REDIS_CANDIDATE, Contestant.REDIS, 0.5, 0.7),
                    Goal.alone(
                            "p99 at half of the highest load, in memory (" + Spread.number(half) + " /s)",
                            "ms",
                            Spread.of(latencies(server, half).stream().mapToDouble(Double::doubleValue)),
                            5,
                            2));
            progress.show("");
            return new Report(
                    goals, List.of(new Section("server", header + "; " + cores + "\n\n" + Goal.table(goals))));
        } catch (IOException failure) {
            throw new FailedMeasureException("the server cannot be measured: " + failure.getMessage(), failure);
        }
    }

    private Map<Contestant, List<Double>> throughput(MeasuredServer server) throws IOException {
        Map<Contestant, List<Double>> figures = new EnumMap<>(Contestant.class);
        for (int round = -WARM_ROUNDS; round < effort.rounds; round++) {
            List<Contestant> order = new ArrayList<>(List.of(Contestant.values()));
            if (round % 2 != 0) {
                Collections.reverse(order); // each is as often before its reference as after it
            }
            for (Contestant contestant : order) {
                progress.next(contestant.title);
                double perSecond = contestant.perSecond(server, effort.millis);
                if (round >= 0) {
                    figures.computeIfAbsent(contestant, first -> new ArrayList<>())
                            .add(perSecond);
                }
            }
        }
        return figures;
    }

    /** The first run compiles. */
    private List<Double> latencies(MeasuredServer server, double perSecond) throws IOException {
        List<Double> p99 = new ArrayList<>();
        for (int run = 0; run <= effort.latencyRuns; run++) {
            progress.next("p99");
            double millis =
                    Load.p99Millis(server.inMemory(), Messages.ofEachKey("user"), perSecond, effort.latencyMillis);
            if (run > 0) {
                p99.add(millis);
            }
        }
        return p99;
    }

    private static Goal compared(
            Map<Contestant, List<Double>> figures, Contestant ours, Contestant against, double must, double aim) {
        List<Double> our = figures(figures, ours);
        List<Double> reference = figures(figures, against);
        Spread ratio = Spread.of(IntStream.range(0, our.size()).mapToDouble(i -> our.get(i) / reference.get(i)));
        String title = against == Contestant.REDIS ? "one descriptor" : against.title;
        return new Goal(
                ours.title, "/s", spread(figures, ours), title, spread(figures, against), ratio.median(), must, aim);
    }

    private static Spread spread(Map<Contestant, List<Double>> figures, Contestant contestant) {
        return Spread.of(figures(figures, contestant).stream().mapToDouble(Double::doubleValue));
    }

    private static List<Double> figures(Map<Contestant, List<Double>> figures, Contestant contestant) {
        return Objects.requireNonNull(figures.get(contestant));
    }
}
