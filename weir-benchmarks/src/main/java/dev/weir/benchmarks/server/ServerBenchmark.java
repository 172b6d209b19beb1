package dev.weir.benchmarks.server;

import dev.weir.benchmarks.report.Benchmark;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.Goal;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Rounds;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.benchmarks.report.Spread;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Measures what the server leaves of the throughput of its framework, and how long its answers take. The server and the empty
 * handlers are in one JVM and take turns.
 */
public record ServerBenchmark(Effort effort, Progress progress) implements Benchmark {
    private static final int WARM_ROUNDS = 3;

    /** What is measured with many calls in flight. */
    private enum Contestant {
        EMPTY("an empty handler", ServerProcess.EMPTY, 64, "user"),
        MEMORY("decisions a second, in memory", ServerProcess.MEMORY, 64, "user"),
        EMPTY_LATER("an empty handler that answers later", ServerProcess.EMPTY_LATER, 256, "user"),
        REDIS("decisions a second, on Redis, 1,000 keys", ServerProcess.REDIS, 256, "user"),
        REDIS_TWO("requests a second with two descriptors, on Redis", ServerProcess.REDIS, 256, "user", "path"),
        REDIS_CANDIDATE("requests a second with a candidate, on Redis", ServerProcess.REDIS, 256, "tried");

        private final String title;
        private final int port;
        private final int inFlight;

        @SuppressWarnings("ImmutableEnumChecker") // never changed
        private final byte[][] messages;

        Contestant(String title, int port, int inFlight, String... descriptors) {
            this.title = title;
            this.port = port;
            this.inFlight = inFlight;
            this.messages = Messages.ofEachKey(descriptors);
        }
    }

    @Override
    public Report run(String header) throws IOException {
        List<Contestant> contestants = List.of(Contestant.values());
        int rounds = effort.of(1, 7, 15);
        int millis = effort.of(50, 2_000, 5_000); // of a round
        int latencyRuns = 1 + effort.of(1, 5, 5); // the first one compiles
        progress.begin((WARM_ROUNDS + rounds) * contestants.size() + latencyRuns, "turns");
        try (MeasuredServer server = new MeasuredServer(effort)) {
            Rounds<Contestant> figures = new Rounds<>(WARM_ROUNDS);
            Rounds.run(WARM_ROUNDS, rounds, contestants, contestant -> {
                progress.next(contestant.title);
                int port = server.port(contestant.port);
                figures.add(contestant, Load.closed(port, contestant.messages, contestant.inFlight, millis));
            });
            double half = figures.of(Contestant.MEMORY).median() / 2;
            String latency = "p99 at half of the highest load, in memory (" + Spread.number(half) + " /s)";
            List<Goal> goals = List.of(
                    compared(figures, Contestant.MEMORY, Contestant.EMPTY, 0.88, 0.95),
                    compared(figures, Contestant.REDIS, Contestant.EMPTY_LATER, 0.5, 0.8),
                    compared(figures, Contestant.REDIS_TWO, Contestant.REDIS, 0.5, 0.7),
                    compared(figures, Contestant.REDIS_CANDIDATE, Contestant.REDIS, 0.5, 0.7),
                    Goal.alone(latency, "ms", p99Millis(server, half, latencyRuns), 5, 2));
            return new Report(goals, new Section("server", header + "; " + server.cores + "\n\n" + Goal.table(goals)));
        }
    }

    private Spread p99Millis(MeasuredServer server, double perSecond, int runs) throws IOException {
        int millis = effort.of(200, 4_000, 15_000);
        double[] p99 = new double[runs];
        for (int run = 0; run < p99.length; run++) {
            progress.next("p99");
            p99[run] = Load.p99Millis(server.port(ServerProcess.MEMORY), Contestant.MEMORY.messages, perSecond, millis);
        }
        return Spread.of(Arrays.stream(p99).skip(1));
    }

    private static Goal compared(
            Rounds<Contestant> figures, Contestant ours, Contestant reference, double must, double aim) {
        String against = reference == Contestant.REDIS ? "one descriptor" : reference.title;
        return figures.goal(ours.title, "/s", ours, against, reference, must, aim);
    }
}
