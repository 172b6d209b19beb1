package dev.weir.benchmarks.web;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.benchmarks.report.Benchmark;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.Goal;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Rounds;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.benchmarks.report.Spread;
import dev.weir.http.ClientAddress;
import dev.weir.http.RateLimitFilter;
import dev.weir.store.MemoryStore;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures what the servlet filter adds to the latency of an empty endpoint. A client sends one request that passes the
 * filter and one that does not, in turns on one connection, so that a machine that gets slower or faster does it to both alike.
 */
public record WebBenchmark(Effort effort, Progress progress) implements Benchmark {
    @Override
    public Report run(String header) {
        int rounds = 1 + effort.of(1, 7, 31); // the first one compiles
        progress.begin(rounds * Endpoint.Container.values().length * WebClient.Kind.values().length, "turns");
        List<Goal> goals = new ArrayList<>();
        for (WebClient.Kind client : WebClient.Kind.values()) {
            for (Endpoint.Container container : Endpoint.Container.values()) {
                FailedMeasureException.attempt(container.title, () -> goals.add(measure(rounds, container, client)));
            }
        }
        return new Report(goals, new Section("web", header + "\n\n" + Goal.table(goals)));
    }

    private Goal measure(int rounds, Endpoint.Container container, WebClient.Kind kind) throws Exception {
        MemoryStore store = MemoryStore.builder().build();
        RateLimiter perClient = RateLimiter.builder()
                .name("web")
                .limit(Limit.slidingLog(1_000_000, Duration.ofMinutes(1)))
                .store(store)
                .build();
        RateLimitFilter filter = RateLimitFilter.builder()
                .rule(perClient, RateLimitFilter.clientAddress(ClientAddress.ofPeer()))
                .build();
        Rounds<String> micros = new Rounds<>(1);
        try (Endpoint endpoint = container.start(filter);
                WebClient client = kind.connect(endpoint.port())) {
            checkFilter(client, store);
            for (int round = 0; round < rounds; round++) {
                progress.next(container.title + ", " + kind.title);
                measure(client, micros);
            }
        }
        String what = "median latency with the filter, " + container.title + ", " + kind.title;
        return micros.goal(what, "µs", Endpoint.LIMITED, "an empty endpoint", Endpoint.EMPTY, 1.05, 1.02);
    }

    /** Checks that the filter decides the requests to its endpoint and no others, by the clients that its store knows after them. */
    static void checkFilter(WebClient client, MemoryStore store) throws IOException, InterruptedException {
        for (String path : List.of(Endpoint.EMPTY, Endpoint.LIMITED)) {
            long unused = nanosOf(client, path);
            int expected = path.equals(Endpoint.LIMITED) ? 1 : 0;
            if (store.statistics().keys().orElseThrow() != expected) {
                throw new FailedMeasureException(
                        "requests to " + path + " must " + (expected == 0 ? "not " : "") + "pass the filter");
            }
        }
    }

    /** Sends the requests of a round, and adds the median latency with and without the filter. */
    private void measure(WebClient client, Rounds<String> micros) throws IOException, InterruptedException {
        int requests = effort.of(100, 10_000, 10_000); // to each endpoint
        long[] limited = new long[requests];
        long[] empty = new long[requests];
        for (int i = 0; i < requests; i++) {
            for (int turn = i; turn < i + 2; turn++) {
                boolean isLimited = turn % 2 == 0;
                (isLimited ? limited : empty)[i] = nanosOf(client, isLimited ? Endpoint.LIMITED : Endpoint.EMPTY);
            }
        }
        micros.add(Endpoint.LIMITED, Spread.medianMicros(limited));
        micros.add(Endpoint.EMPTY, Spread.medianMicros(empty));
    }

    private static long nanosOf(WebClient client, String path) throws IOException, InterruptedException {
        long start = System.nanoTime();
        int status = client.statusOf(path);
        long nanos = System.nanoTime() - start;
        if (status != HttpServletResponse.SC_NO_CONTENT) {
            throw new FailedMeasureException("an empty endpoint answered with status " + status);
        }
        return nanos;
    }
}
